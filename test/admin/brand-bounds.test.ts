import { expect, test } from 'bun:test'
import { createKeptUploads } from '../../admin/brands/brand-form.ts'
import { createDrawing } from '../../admin/drawing.ts'
import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import { createDrawingPool } from '../../src/assets/og/drawing-pool.ts'
import { schemes, sizeNames } from '../../src/assets/og/theme.ts'
import { Problem } from '../../src/errors.ts'
import { createFreeDrawings } from '../../src/http/cached-renderer.ts'
import { createDrawingService, type DrawingServiceDeps } from '../../src/http/drawing-service.ts'
import { createByteCache } from '../../src/lib/byte-cache.ts'
import { createTextDrawer } from '../../src/text/text-drawer.ts'
import { plainPng } from '../support/pictures.ts'

const mebibyte = 2 ** 20
const minuteMs = 60_000

function keptUploads() {
  const clock = { nowMs: 1_000_000_000, now: () => clock.nowMs }
  return { clock, kept: createKeptUploads<string>(clock) }
}

test('kept uploads are bounded: the oldest go first, and one that is used again stays', () => {
  const { kept } = keptUploads()
  const tokens = Array.from({ length: 16 }, (_, index) => kept.keep('mine', `file ${index}`, mebibyte))
  expect(tokens.every((token) => kept.find('mine', token) !== undefined)).toBe(true)
  kept.find('mine', tokens[0] ?? '')
  kept.keep('mine', 'one more', mebibyte)
  const found = tokens.map((token) => kept.find('mine', token) !== undefined)
  expect(found.slice(0, 3)).toEqual([true, false, true])
})

test('many small uploads are bounded by their number', () => {
  const { kept } = keptUploads()
  const tokens = Array.from({ length: 300 }, () => kept.keep('mine', 'a dot', 10))
  expect(tokens.filter((token) => kept.find('mine', token) !== undefined).length).toBe(256)
})

test('a kept upload is found by its session alone, for half an hour after its last use', () => {
  const { clock, kept } = keptUploads()
  const token = kept.keep('mine', 'mark.svg', 100)
  expect(kept.find('other', token)).toBeUndefined()
  clock.nowMs += 29 * minuteMs
  expect(kept.find('mine', token)).toBe('mark.svg')
  clock.nowMs += 29 * minuteMs
  expect(kept.find('mine', token)).toBe('mark.svg')
  clock.nowMs += 31 * minuteMs
  expect(kept.find('mine', token)).toBeUndefined()
})

/** Draws the cards of a page as a browser asks for them: every size in both schemes, all at once. */
function drawAll({ raster }: Pick<DrawingServiceDeps, 'raster'>) {
  const drawings = createDrawingService({
    raster,
    assets: [],
    cache: createByteCache(0, () => 0),
    drawings: { draw: (work) => work() },
    freeDrawings: createFreeDrawings({ now: Date.now }),
  })
  const drawing = createDrawing(drawings, createTextDrawer(), [])
  return (client: string, brand: CardBrand, title: string) =>
    Promise.all(
      schemes.flatMap((scheme) =>
        sizeNames.map((size) => drawing.brandPart(client, brand, { part: 'card', title, size, scheme })),
      ),
    )
}

function notAsked(): Promise<never> {
  return Promise.reject(new Error('not asked here'))
}

test('previews beyond those that wait are refused as busy, and the sessions take turns', async () => {
  let running = 0
  let runningMax = 0
  const all = drawAll({
    raster: {
      ...{ cardSvg: notAsked, cardLayout: notAsked, scenePicture: notAsked },
      async cardPicture() {
        running += 1
        runningMax = Math.max(runningMax, running)
        await Bun.sleep(1)
        running -= 1
        return new Uint8Array(1)
      },
    },
  })
  const png = new Uint8Array(plainPng(1, 1))
  const logo = { kind: 'pixels', key: 'a', widthPx: 1, heightPx: 1, png } as const
  const brand = { key: 'acme@1', logo }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => all(`session ${index}`, brand, 'Hello')),
  )
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every((reason) => reason instanceof Problem && reason.code === 'busy')).toBe(true)
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(runningMax).toBeLessThanOrEqual(2)
})

test('between the cards of a preview everything else has its turn', async () => {
  const pool = createDrawingPool()
  const all = drawAll({ raster: pool })
  await all('session', { key: 'acme@1' }, 'The fonts are loaded now')
  let turns = 0
  function count(): void {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const cards = await all('session', { key: 'acme@1' }, 'Hello')
  clearImmediate(timer)
  pool.close()
  expect(cards).toHaveLength(12)
  expect(turns).toBeGreaterThan(4)
})
