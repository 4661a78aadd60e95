import { expect, test } from 'bun:test'
import { withoutClosingLines } from '../../src/svg/closing-lines.ts'
import { OutlineBuilder } from '../../src/svg/outline.ts'
import { PathWriter } from '../../src/svg/path-writer.ts'
import { readPath } from '../../src/svg/read-path.ts'

function written(d: string): string {
  const writer = new PathWriter({ smoothWithin: 0, flatWithin: 0 })
  readPath(d, withoutClosingLines(writer))
  const path = writer.finish()
  return path === undefined ? '' : `m${path.startX} ${path.startY}${path.body}`
}

/** Every contour's segments, in an order that does not depend on where it begins. */
function segments(d: string): string[][] {
  const builder = new OutlineBuilder()
  readPath(d, builder)
  return builder.finish().map((contour) => contour.segments.map((segment) => JSON.stringify(segment)).sort())
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
  const { from, to, controls } = JSON.parse(segment)
  return controls === undefined && from.x === to.x && from.y === to.y
}

test('an outline without contours is a blank', () => {
  expect(written('')).toBe('')
})
