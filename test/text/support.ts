import type { Box } from '../../src/svg/bounds.ts'
import { pathString } from '../../src/svg/write-path.ts'
import { createTextEngine, type TextEngine } from '../../src/text/text-engine.ts'
import type { FitRequest, FittedText, TextStyle } from '../../src/text/types.ts'
import { woff2Ready } from '../../src/text/woff2.ts'

await woff2Ready

export const bold: TextStyle = { family: 'sans', weight: 700 }
export const engine: TextEngine = createTextEngine()

export async function fit(text: string, changes: Partial<FitRequest> = {}): Promise<FittedText> {
  const request = {
    text,
    style: bold,
    sizesPx: [72, 60, 48, 36],
    maxWidthPx: 900,
    maxHeightPx: 400,
    maxLines: 4,
    ...changes,
  }
  return engine.draw([request], (fitter) => fitter.fit(request))
}

export async function line(
  text: string,
  changes: { style?: TextStyle; lang?: string; maxWidthPx?: number } = {},
): Promise<FittedText> {
  const style = changes.style ?? bold
  const { lang, maxWidthPx } = changes
  return engine.draw([{ text, style, lang }], (fitter) => fitter.line(text, style, 100, lang, maxWidthPx))
}

/** The outlines of a one-line text, from left to right. */
export async function outlines(text: string): Promise<string[]> {
  const fitted = await line(text)
  return (fitted.lines[0]?.pieces ?? []).map(drawn)
}

/** A piece's outline, or the name of its picture. */
export function drawn(piece: FittedText['lines'][number]['pieces'][number]): string {
  return piece.kind === 'outline' ? pathString(piece.path) : piece.name
}

export async function ink(text: string): Promise<Box> {
  return (await line(text)).lines[0]?.ink ?? { left: 0, top: 0, right: 0, bottom: 0 }
}

const coordinates: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, q: 4, t: 2, c: 6, z: 0 }

/** Bounds of all points of an all-relative path, control points included: the ink lies inside. Throws on anything else. */
export function pathBounds(d: string): Box | undefined {
  const tokens = d.match(/[a-z]|-?\d+/gi) ?? []
  if (tokens.join('').replaceAll('-', '') !== d.replaceAll(/[ -]/g, ''))
    throw new Error(`Not on the integer grid: ${d.slice(0, 80)}`)
  let [x, y, startX, startY] = [0, 0, 0, 0]
  const xs: number[] = []
  const ys: number[] = []
  let command = ''
  let control = { x: 0, y: 0 }
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] ?? ''
    if (/[a-z]/i.test(token)) {
      command = token
      at++
    }
    const count = coordinates[command]
    if (count === undefined) throw new Error(`Unexpected ${token}`)
    const values = tokens.slice(at, at + count).map(Number)
    at += count
    if (command === 'z') [x, y] = [startX, startY]
    else if (command === 'h') x += values[0] ?? Number.NaN
    else if (command === 'v') y += values[0] ?? Number.NaN
    else {
      if (command === 'q') control = { x: x + (values[0] ?? Number.NaN), y: y + (values[1] ?? Number.NaN) }
      if (command === 't') {
        control = { x: 2 * x - control.x, y: 2 * y - control.y }
        xs.push(control.x)
        ys.push(control.y)
      }
      for (let pair = 0; pair < count; pair += 2) {
        xs.push(x + (values[pair] ?? Number.NaN))
        ys.push(y + (values[pair + 1] ?? Number.NaN))
      }
      x = xs.at(-1) ?? x
      y = ys.at(-1) ?? y
    }
    if (command === 'm') [startX, startY] = [x, y]
    xs.push(x)
    ys.push(y)
  }
  if (xs.length === 0) return undefined
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}
