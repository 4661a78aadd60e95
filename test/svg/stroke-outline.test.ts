import { expect, test } from 'bun:test'
import { edgesOf, fillDifference } from '../../src/svg/fill-coverage.ts'
import { readOutline } from '../../src/svg/outline.ts'
import { strokeOutline } from '../../src/svg/stroke-outline.ts'
import type { Pen } from '../../src/svg/stroke-pen.ts'
import { randomFrom } from '../support/random.ts'
import { strokeEdges } from './support/stroke-edges.ts'

const count = 150

test('the outline of a stroke covers what its lines, joins and caps cover, however tight it turns', () => {
  const random = randomFrom(11)
  function point() {
    return `${random.below(100)} ${random.below(100)}`
  }
  let compared = 0
  for (let index = 0; index < count; index++) {
    const curves = Array.from({ length: 1 + random.below(3) }, () =>
      random.pick([`L${point()}`, `C${point()} ${point()} ${point()}`, `Q${point()} ${point()}`]),
    )
    const d = `M${point()}${curves.join('')}${random.pick(['', 'Z'])}`
    const pen: Pen = {
      width: random.pick([5, 10, 20, 45]),
      cap: random.pick(['butt', 'round', 'square']),
      join: random.pick(['miter', 'round', 'bevel']),
      miterLimit: 4,
    }
    const outline = readOutline(d)
    const drawn = strokeOutline(outline, pen, 8_000)
    if (drawn === undefined) throw new Error(d)
    const difference = fillDifference(
      { edges: edgesOf(drawn), rule: 'nonzero' },
      { edges: strokeEdges(outline, pen), rule: 'nonzero' },
    )
    if (difference === undefined) continue
    compared += 1
    if (difference > 0.02) throw new Error(`${difference} of ${JSON.stringify(pen)} along ${d}`)
  }
  expect(compared).toBeGreaterThan(count * 0.8)
})

test('a ring whose line is wider than what it goes around has no hole', () => {
  const circle = readOutline('M60 50A10 10 0 0 1 40 50 10 10 0 0 1 60 50Z')
  const pen: Pen = { width: 30, cap: 'butt', join: 'miter', miterLimit: 4 }
  const disc = readOutline('M75 50A25 25 0 0 1 25 50 25 25 0 0 1 75 50Z')
  const difference = fillDifference(
    { edges: edgesOf(strokeOutline(circle, pen, 8_000) ?? []), rule: 'nonzero' },
    { edges: edgesOf(disc), rule: 'nonzero' },
  )
  expect(difference).toBeLessThan(0.01)
})
