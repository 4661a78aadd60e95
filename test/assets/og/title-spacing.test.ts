import { expect, test } from 'bun:test'
import { Canvas, createLabelFitter } from '../../../src/assets/og/canvas.ts'
import { cardSizes } from '../../../src/assets/og/card-sizes.ts'
import { fitTitleAndSubtitle } from '../../../src/assets/og/engine/fit-title.ts'
import type { Boxes } from '../../../src/assets/og/engine/theme-contract.ts'
import { loadTheme, themeNames } from '../../../src/assets/og/themes.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'

const engine = createTextEngine()

/** The width and the height of a line, as shares of the size of the title, at one size in a theme. */
async function proportions(theme: (typeof themeNames)[number], title: string, sizePx: number) {
  const { styles } = await loadTheme(theme)
  await engine.prepare([{ text: title, style: styles.title }])
  const canvas = new Canvas(engine, createLabelFitter(), styles, {
    direction: 'ltr',
    lang: undefined,
    widthPx: 0,
  })
  const spec = { sizesPx: [sizePx], maxLines: 2, leading: 1.2, maxHeightPx: 4000 }
  const texts = { title } as Parameters<typeof fitTitleAndSubtitle>[0]
  // One line, and none of a larger size.
  const room = { width: sizePx * 16, height: sizePx * 1.9 }
  const fitted = fitTitleAndSubtitle(
    texts,
    canvas,
    room,
    { title: spec } as unknown as Boxes,
    cardSizes.og,
  ).title
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
    const title = 'المستشفيات'
    const [large, small] = await Promise.all([152, 42].map((size) => proportions(theme, title, size)))
    expect(large?.width, theme).toBeCloseTo(small?.width ?? 0, 2)
  }
})
