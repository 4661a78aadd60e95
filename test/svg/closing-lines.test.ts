import { expect, test } from 'bun:test'
import { readPath } from '../../src/svg/read-path.ts'
import { PathWriter, withoutClosingLines } from '../../src/svg/write-path.ts'

function written(d: string): string {
  const writer = new PathWriter({ smoothWithin: 0, flatWithin: 0 })
  readPath(d, withoutClosingLines(writer))
  const path = writer.finish()
  return path === undefined ? '' : `m${path.startX} ${path.startY}${path.body}`
}

/** Every contour's lines and curves, in an order that does not depend on where it begins. */
function segments(d: string): string[][] {
  const contours: string[][] = []
  let [pen, start] = ['', '']
  function add(to: string, ...controls: readonly number[]): void {
    contours.at(-1)?.push([pen, ...controls, to].join(' '))
    pen = to
  }
  readPath(d, {
    moveTo(x, y) {
      contours.push([])
      pen = start = `${x},${y}`
    },
    lineTo: (x, y) => add(`${x},${y}`),
    quadraticTo: (cx, cy, x, y) => add(`${x},${y}`, cx, cy),
    cubicTo: (ax, ay, bx, by, x, y) => add(`${x},${y}`, ax, ay, bx, by),
    close() {
      if (pen !== start) add(start)
    },
  })
  return contours.map((contour) => contour.sort())
}

test('the longest line of a closed contour is drawn by its end, wherever the contour began', () => {
  expect(written('M0 0H100V730H0V0Z')).toBe('m0 730v-730h100v730z')
  expect(written('M0 0H100V730H0Z')).toBe('m0 730v-730h100v730z')
  expect(written('M0 0Q5 20 10 0H40L17 -123L0 0Z')).toBe('m17 -123l-17 123q5 20 10 0h30z')
})

test('contours keep their segments, also those of curves alone and of lines without length', () => {
  const outlines = [
    'M0 0H100V730H0V0Z',
    'M0 0Q10 20 20 0Q10 -20 0 0Z',
    'M0 0Q10 20 20 0C10 -20 5 -20 0 -5ZM7 7H9V9H7Z',
    'M3 3L3 3H8L10 250Q4 4 3 3Z',
    'M5 5L6 9Z',
  ]
  for (const d of outlines)
    expect(segments(written(d))).toEqual(
      segments(d).map((contour) => contour.filter((segment) => !isPoint(segment))),
    )
})

function isPoint(segment: string): boolean {
  const [from, to, ...more] = segment.split(' ')
  return from === to && more.length === 0
}

test('an outline without contours is a blank', () => {
  expect(written('')).toBe('')
})
