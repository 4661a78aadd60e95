import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { findIcon } from '../../src/assets/icons.ts'
import { packageFile } from '../../src/lib/package-files.ts'
import { pathBounds } from '../../src/svg/bounds.ts'
import { readPath } from '../../src/svg/read-path.ts'
import { escapeXml } from '../../src/svg/svg-values.ts'
import { PathWriter, withoutClosingLines } from '../../src/svg/write-path.ts'
import cases from './paths.json' with { type: 'json' }

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
  const outlines = cases.outlines
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

test('markup in a text is escaped, in elements and in attributes of either quote', () => {
  const expected = '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;'
  expect(escapeXml(`<a href="x" title='y'>&amp;</a>`)).toBe(expected)
})

test('characters that XML cannot carry are left out, all others stay', () => {
  expect(escapeXml('a\u0000b\u001bc\ufffed\uffffe')).toBe('abcde')
  expect(escapeXml('x\ud800y')).toBe('x\ufffdy')
  expect(escapeXml('tab\tline\n')).toBe('tab\tline\n')
  expect(escapeXml('é 家 🎉 \u0085')).toBe('é 家 🎉 \u0085')
})

const boxes: Readonly<
  Record<string, readonly [d: string, left: number, top: number, right: number, bottom: number]>
> = {
  'a rectangle of relative lines': ['m3 4h10v5h-10z', 3, 4, 13, 9],
  'a quadratic curve beyond its ends': ['M0 0Q5 10 10 0', 0, 0, 10, 5],
  'a smooth quadratic curve, mirrored': ['M0 0Q5 10 10 0T20 0', 0, -5, 20, 5],
  'a cubic curve beyond its ends': ['M0 0C0 4 10 4 10 0', 0, 0, 10, 3],
  'a smooth cubic curve behind a line': ['M0 0L4 0S8 8 8 0', 0, 0, 8, 8 * (4 / 9)],
  'a circle of two arcs': ['M0 5a5 5 0 1 0 10 0a5 5 0 1 0-10 0z', 0, 0, 10, 10],
  'an arc whose flags and numbers touch': ['M0 0a5 5 0 0110 0', 0, -5, 10, 0],
  'an arc that ends where it starts': ['M1 2A5 5 0 1 1 1 2', 1, 2, 1, 2],
  'an arc without a radius': ['M1 2A0 5 0 1 1 6 7', 1, 2, 6, 7],
  'a segment behind a closed contour': ['M5 5h5v5zl-2-2', 3, 3, 10, 10],
}

for (const [name, [d, ...edges]] of Object.entries(boxes)) {
  test(`the box holds ${name}, and nothing more`, () => {
    const { left, top, right, bottom } = pathBounds(d)
    for (const [index, edge] of [left, top, right, bottom].entries())
      expect(edge).toBeCloseTo(edges[index] ?? Number.NaN, 4)
  })
}

test('every icon of the set has a box on its square of 24 by 24', () => {
  const icons = readdirSync(packageFile('simple-icons', 'icons')).flatMap(
    (file) => findIcon(file.replace('.svg', '')) ?? [],
  )
  expect(icons.length).toBeGreaterThan(3_000)
  const lost = icons.filter(({ d }) => {
    const { left, top, right, bottom } = pathBounds(d)
    return !(left > -1 && top > -1 && right < 25 && bottom < 25 && right > left && bottom > top)
  })
  expect(lost.map(({ slug }) => slug)).toEqual([])
})
