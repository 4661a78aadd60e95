import { type PathData, pair } from '../svg/path-joiner.ts'
import type { OutlineSink } from './harfbuzz.ts'

export interface GlyphPen extends OutlineSink {
  /** The outline, or undefined for a blank. */
  finish(): PathData | undefined
}

/** How far, in units, a curve's handle may be from the mirror image of the last one to be written as it, in half the room. */
const smoothWithin = 2

/** Collects a glyph's outline, rounded to the grid point by point so that errors do not add up. */
export function createGlyphPen(): GlyphPen {
  // Parts, because a text that grows by concatenation keeps all its pieces alive.
  const body: string[] = []
  const ink = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  let command = ''
  let start: { readonly x: number; readonly y: number } | undefined
  let subpath = { x: 0, y: 0 }
  let pen = { x: 0, y: 0 }
  /** The handle that a smooth curve would have. */
  let mirror = { x: 0, y: 0 }

  function moveTo(point: { x: number; y: number }): void {
    ink.left = Math.min(ink.left, point.x)
    ink.right = Math.max(ink.right, point.x)
    ink.top = Math.min(ink.top, point.y)
    ink.bottom = Math.max(ink.bottom, point.y)
    pen = point
  }

  function write(letter: string, numbers: string): void {
    const separator = letter !== command ? letter : numbers.startsWith('-') ? '' : ' '
    body.push(separator + numbers)
    command = letter
  }

  /** Points are relative to where the pen stands before the command. */
  function curve(letter: string, ...coordinates: number[]): void {
    const from = pen
    let numbers = ''
    for (let index = 0; index < coordinates.length; index += 2) {
      moveTo(onGrid(coordinates[index] ?? 0, coordinates[index + 1] ?? 0))
      const x = pen.x - from.x
      numbers += `${numbers === '' || x < 0 ? '' : ' '}${pair(x, pen.y - from.y)}`
    }
    write(letter, numbers)
  }

  function lineTo(x: number, y: number): void {
    const to = onGrid(x, y)
    if (to.y === pen.y) {
      if (to.x !== pen.x) write('h', `${to.x - pen.x}`)
    } else if (to.x === pen.x) {
      write('v', `${to.y - pen.y}`)
    } else {
      write('l', pair(to.x - pen.x, to.y - pen.y))
    }
    moveTo(to)
  }

  return {
    moveTo(x, y) {
      const to = onGrid(x, y)
      if (start === undefined) start = to
      else body.push(`m${pair(to.x - pen.x, to.y - pen.y)}`)
      command = 'm'
      moveTo(to)
      subpath = to
    },
    lineTo,
    quadraticTo(cx, cy, x, y) {
      const wanted = onGrid(cx, cy)
      const distance = Math.max(Math.abs(wanted.x - mirror.x), Math.abs(wanted.y - mirror.y))
      const isSmooth = (command === 'q' || command === 't') && distance <= smoothWithin
      const handle = isSmooth ? mirror : wanted
      const from = pen
      moveTo(handle)
      pen = from
      if (isSmooth) curve('t', x, y)
      else curve('q', cx, cy, x, y)
      mirror = { x: 2 * pen.x - handle.x, y: 2 * pen.y - handle.y }
    },
    cubicTo: (ax, ay, bx, by, x, y) => curve('c', ax, ay, bx, by, x, y),
    close() {
      body.push('z')
      command = 'z'
      pen = subpath
    },
    finish() {
      if (start === undefined) return undefined
      return { body: body.join(''), startX: start.x, startY: start.y, endX: pen.x, endY: pen.y, ink }
    },
  }
}

/** A font's y points up, SVG's down. Adding 0 turns a negative zero into a plain one. */
function onGrid(x: number, y: number): { x: number; y: number } {
  return { x: Math.round(x) + 0, y: 0 - Math.round(y) }
}
