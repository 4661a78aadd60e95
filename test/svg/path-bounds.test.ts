import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { findIcon } from '../../src/assets/icons.ts'
import { packageFile } from '../../src/lib/package-files.ts'
import { pathBounds } from '../../src/svg/bounds.ts'

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
