import { describe, expect, mock, test } from 'bun:test'
import { Canvas } from '../../../src/assets/og/canvas.ts'
import type { CardContext } from '../../../src/assets/og/engine/contracts.ts'
import { fitTitleAndSubtitle } from '../../../src/assets/og/engine/fit-title.ts'
import { cardSizes, sizeNames } from '../../../src/assets/og/theme.ts'
import { loadTheme, themeNames } from '../../../src/assets/og/themes.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { woff2Ready } from '../../../src/text/woff2.ts'
import { sampleOf } from '../../support/test-size.ts'
import { cards, inkBoxes } from './corpus.ts'
import cases from './title-sizes.json' with { type: 'json' }

await woff2Ready

/** The smallest size of a title that is cut, on the first size of each shape. */
const floorsPx = { wide: 60, square: 68, tall: 76 }

const titles = cases.titles
const subtitle = 'Notes on caching, signed URLs and share cards that never go stale'

async function composed(params: Parameters<typeof cards.composed>[0]['params']) {
  return (await cards.composed({ params: { author: 'Ada', url: 'harbour.dev', ...params } })).texts
}

describe('a title that is cut', () => {
  for (const theme of themeNames)
    test(`${theme}: keeps a size that reads as a title, alone, and fills its card`, async () => {
      for (const size of sampleOf(sizeNames, 3))
        for (const title of Object.values(cases.long)) {
          const texts = await composed({ theme, size, title, subtitle, overflow: 'ellipsis' })
          const placed = texts.find(({ role }) => role === 'title')
          const { shape, unit, heightPx } = cardSizes[size]
          const what = `${size} ${title.slice(0, 9)}`
          expect(placed?.fitted.sizePx, what).toBeGreaterThanOrEqual(floorsPx[shape] * unit - 1)
          const roles = texts.map(({ role }) => role)
          expect(roles, what).not.toContain('subtitle')
          if (placed === undefined) continue
          const boxes = inkBoxes(placed)
          const others = texts.filter(({ role }) => role !== 'title').flatMap(inkBoxes)
          const top = Math.min(...boxes.map((box) => box.top))
          const bottom = Math.max(...boxes.map((box) => box.bottom))
          const above = Math.max(0, ...others.map((box) => box.bottom).filter((y) => y <= top))
          const below = Math.min(heightPx, ...others.map((box) => box.top).filter((y) => y >= bottom))
          // The tiles of the poster theme are no empty place.
          if (theme !== 'poster') expect(top - above, `${what}: above`).toBeLessThan(heightPx / 3)
          if (theme !== 'poster') expect(below - bottom, `${what}: below`).toBeLessThan(heightPx / 3)
        }
    })
})

test('a subtitle is smaller than its title by 1.8, and a title of usual length keeps it', async () => {
  for (const theme of themeNames)
    for (const size of sampleOf(sizeNames, 3))
      for (const title of titles) {
        const texts = await composed({ theme, size, title, subtitle })
        const [above, below] = ['title', 'subtitle'].map(
          (role) => texts.find((text) => text.role === role)?.fitted.sizePx ?? 0,
        ) as [number, number]
        expect(below, `${theme} ${size} ${title}`).toBeGreaterThan(0)
        expect(above / below, `${theme} ${size} ${title}`).toBeGreaterThanOrEqual(1.75)
      }
})

test('an eyebrow is above the title in every theme, size and direction, and in the description', async () => {
  const eyebrows = ['Engineering notes', 'تقرير ميداني', '製品情報 第４版', 'W'.repeat(40)]
  for (const theme of themeNames)
    for (const size of sampleOf(sizeNames, 3))
      for (const [index, eyebrow] of eyebrows.entries()) {
        const texts = await composed({ theme, size, title: titles[2 + index] ?? 'Go', eyebrow })
        const found = texts.filter(({ role }) => role === 'eyebrow').at(-1)
        const title = texts.find(({ role }) => role === 'title')
        if (found === undefined || title === undefined) throw new Error(`${theme} ${size}: no eyebrow`)
        const bottom = Math.max(...inkBoxes(found).map((box) => box.bottom))
        expect(bottom, `${theme} ${size} ${eyebrow}`).toBeLessThan(
          Math.min(...inkBoxes(title).map((box) => box.top)),
        )
      }
  const svg = (await cards.svgPieces({ params: { title: 'Go', eyebrow: 'Notes', author: 'Ada' } })).join('')
  expect(svg).toContain('>Notes · Ada</desc>')
})

const engine = createTextEngine()
const shown = { direction: 'ltr', lang: undefined, face: undefined, widthPx: 0 } as const

test('names of a hundred authors are laid out once', async () => {
  const line = mock(engine.line)
  const { styles } = await loadTheme('plain')
  const canvas = new Canvas({ fitter: { ...engine, line }, styles, ...shown })
  for (const count of Array(200).keys()) canvas.line('author', `Author ${count % 100}`, 28)
  expect(line).toHaveBeenCalledTimes(100)
})

/** The width and the height of a line, as shares of the size of the title, at one size in a theme. */
async function proportions(theme: (typeof themeNames)[number], title: string, sizePx: number) {
  const { styles } = await loadTheme(theme)
  const canvas = new Canvas({ fitter: engine, styles, ...shown })
  const spec = { sizesPx: [sizePx], maxLines: 2, leading: 1.2, maxHeightPx: 4000 }
  const boxes = { title: spec }
  const card = { texts: { title }, canvas, boxes, size: cardSizes.og } as unknown as CardContext
  // One line, and none of a larger size.
  const { title: fitted } = fitTitleAndSubtitle(card, { width: sizePx * 16, height: sizePx * 1.9 })
  expect(fitted.sizePx).toBe(sizePx)
  return { width: fitted.widthPx / fitted.sizePx, line: fitted.lineHeightPx / fitted.sizePx }
}

test('letters and lines of a title are close at 152 px and loose at 42 px in every theme', async () => {
  for (const theme of themeNames) {
    const title = 'Hamburgefonts Vorgestern'
    const [large, usual, small] = await Promise.all(
      [152, 90, 42].map((size) => proportions(theme, title, size)),
    )
    expect(large?.width, theme).toBeLessThan((usual?.width ?? 0) - 0.05)
    expect(usual?.width, theme).toBeLessThan((small?.width ?? 0) - 0.1)
    expect(large?.line, theme).toBeLessThan(usual?.line ?? 0)
    expect(usual?.line, theme).toBeLessThan(small?.line ?? 0)
  }
})

test('letters that join are never moved apart', async () => {
  for (const theme of themeNames) {
    const title = 'المستشفياتوالمستشفيات'
    const [large, small] = await Promise.all([152, 42].map((size) => proportions(theme, title, size)))
    expect(large?.width, theme).toBeCloseTo(small?.width ?? 0, 2)
  }
})
