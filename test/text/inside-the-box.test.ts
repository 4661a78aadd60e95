import { describe, expect, test } from 'bun:test'
import { blockPath } from '../../src/text/block-path.ts'
import type { Family, FitRequest } from '../../src/text/types.ts'
import { sampleOf } from '../support/test-size.ts'
import { fit, pathBounds } from './support.ts'
import { cardTexts, hostileTexts, type Sample } from './texts.ts'

const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']
const aligns = ['start', 'center', 'end'] as const
/** Rounding to the grid moves a point by half a unit, which is 0.04 px at 72 px. */
const gridPx = 0.05

async function expectInside(
  { id, text, lang }: Sample,
  changes: Partial<FitRequest>,
  at: number,
): Promise<void> {
  const style = {
    family: families[at % 4] ?? 'sans',
    weight: 400 + (at % 5) * 100,
    trackingUnits: (at % 3) * -15,
  }
  const box = { maxWidthPx: 900, maxHeightPx: 320, maxLines: 4, ...changes }
  const fitted = await fit(text, { style, ...box, ...(lang === undefined ? {} : { lang }) })
  expect(fitted.lines.length, id).toBeLessThanOrEqual(box.maxLines)
  expect(fitted.heightPx, id).toBeLessThanOrEqual(box.maxHeightPx)
  for (const { widthPx, ink } of fitted.lines) {
    expect(widthPx, id).toBeLessThanOrEqual(box.maxWidthPx)
    expect(ink.left, id).toBeGreaterThanOrEqual(0)
    expect(ink.right, id).toBeLessThanOrEqual(box.maxWidthPx)
  }
  const drawn = blockPath(fitted, aligns[at % 3] ?? 'start', box.maxWidthPx)
  const bounds = pathBounds(drawn.d) ?? { left: 0, top: 0, right: 0, bottom: 0 }
  expect(bounds.left * drawn.scale, id).toBeGreaterThanOrEqual(-gridPx)
  expect(bounds.top * drawn.scale, id).toBeGreaterThanOrEqual(-gridPx)
  expect(bounds.right * drawn.scale, id).toBeLessThanOrEqual(box.maxWidthPx + gridPx)
  expect(bounds.bottom * drawn.scale, id).toBeLessThanOrEqual(box.maxHeightPx + gridPx)
  for (const { x, y, sidePx } of drawn.emoji) {
    expect(Math.min(x, y), id).toBeGreaterThanOrEqual(-gridPx)
    expect(x + sidePx, id).toBeLessThanOrEqual(box.maxWidthPx + gridPx)
    expect(y + sidePx, id).toBeLessThanOrEqual(box.maxHeightPx + gridPx)
  }
}

describe('No ink leaves its box and nothing is NaN', () => {
  for (const maxWidthPx of [1040, 480, 90]) {
    test(`for the card texts in every family at ${maxWidthPx} px`, async () => {
      for (const sample of sampleOf(cardTexts(), 15)) {
        for (const at of families.keys()) await expectInside(sample, { maxWidthPx }, at)
      }
    })
  }

  test('for hostile texts', async () => {
    for (const [at, sample] of sampleOf(hostileTexts(), 18).entries()) await expectInside(sample, {}, at)
  })

  test('for a box of one low line', async () => {
    for (const [at, sample] of sampleOf(hostileTexts(), 18).entries())
      await expectInside(sample, { maxHeightPx: 30, maxLines: 1 }, at)
  })

  test('for a box in which not even one letter has room', async () => {
    await expectInside({ id: 'tiny', text: 'Wide' }, { maxWidthPx: 3 }, 0)
    await expectInside({ id: 'none', text: 'Wide' }, { maxWidthPx: 0 }, 0)
  })

  test('for a text that is empty after cleaning', async () => {
    await expectInside({ id: 'empty', text: '' }, {}, 0)
  })
})
