import { expect, test } from 'bun:test'
import type { CardBrand } from '../../../src/assets/og/brand/card-brand.ts'
import { cardSizes, schemes, sizeNames } from '../../../src/assets/og/theme.ts'
import { type ThemeName, themeNames } from '../../../src/assets/og/themes.ts'
import { encodePng } from '../../../src/raster/encode-png.ts'
import { paintScene } from '../../../src/raster/paint-scene.ts'
import { pictureFormats } from '../../../src/raster/picture-formats.ts'
import type { Scene } from '../../../src/raster/scene.ts'
import { decodePng } from '../../support/png-decode.ts'
import { sampleOf } from '../../support/test-size.ts'
import { cards } from './corpus.ts'

const { backgroundColorsMax } = pictureFormats.png
const texts = {
  title: 'Field notes from the north coast',
  subtitle: 'Eleven days on foot through the high country',
  author: 'Mira Holm',
  url: 'fieldnotes.org',
} as const

/** Accents and brands' backgrounds of one and two colours, dark and bright. */
const colors: readonly (readonly [accent: string, brand: CardBrand | undefined])[] = [
  ['e0b000', undefined],
  ['6040ff', undefined],
  ['2f8f6b', { key: 'one@1', ground: '0b3d2e' }],
  ['d0006f', { key: 'two@1', ground: 'f4a300', ground2: 'd0006f' }],
  ['00b4d8', { key: 'three@1', ground: '1a1a6e', ground2: '00b4d8' }],
]

function pngOf(scene: Scene): Uint8Array {
  return encodePng(paintScene(scene, scene.widthPx, { backgroundColorsMax }))
}

/** How many pixels differ by how many steps of 255 in the channel that differs most, from the scene with all of its colours. */
function differences(png: Uint8Array, scene: Scene): readonly number[] {
  const { widthPx, heightPx, rgba } = decodePng(png)
  const { rows } = paintScene(scene, widthPx)
  const pixels = new Array<number>(256).fill(0)
  for (let y = 0, at = 0; y < heightPx; y++)
    for (let x = 0, from = y * (1 + widthPx * 3) + 1; x < widthPx; x++, at += 4, from += 3) {
      const red = Math.abs((rgba[at] as number) - (rows[from] as number))
      const green = Math.abs((rgba[at + 1] as number) - (rows[from + 1] as number))
      const blue = Math.abs((rgba[at + 2] as number) - (rows[from + 2] as number))
      const most = Math.max(red, green, blue)
      pixels[most] = (pixels[most] as number) + 1
    }
  return pixels
}

test.each(sampleOf(themeNames, 3))(
  'a PNG of %s has a palette, and no colour that anybody would see to differ, in every look',
  async (theme) => {
    for (const [index, size] of sampleOf(sizeNames, 4).entries())
      for (const [offset, scheme] of schemes.entries()) {
        const [accent, brand] = colors[(2 * index + offset) % colors.length] ?? [undefined, undefined]
        const params = { ...texts, theme, scheme, size, ...(accent && { accent }) }
        const { scene } = await cards.composed({ params, brand })
        const png = pngOf(scene)
        const look = `${scheme} ${size} ${accent} ${brand?.key}`
        expect(png[25], look).toBe(3)
        const pixels = differences(png, scene)
        function share(steps: number) {
          const { widthPx, heightPx } = cardSizes[size]
          return pixels.slice(steps + 1).reduce((sum, count) => sum + count, 0) / (widthPx * heightPx)
        }
        // A shade of an antialiased edge is 17 steps from the next.
        expect(share(17), look).toBeLessThan(0.00001)
        expect(share(4), look).toBeLessThan(0.003)
        expect(share(2), look).toBeLessThan(0.03)
      }
  },
)

test('a typical card is below 45 KB as PNG, in every theme and scheme, in the usual size', async () => {
  const bytes: Partial<Record<ThemeName, number>> = {}
  for (const theme of themeNames)
    for (const scheme of schemes)
      for (const [accent, brand] of sampleOf(colors, 2)) {
        const { scene } = await cards.composed({ params: { ...texts, theme, scheme, accent }, brand })
        bytes[theme] = Math.max(bytes[theme] ?? 0, pngOf(scene).length)
      }
  for (const [theme, largest] of Object.entries(bytes)) expect(largest, theme).toBeLessThan(45_000)
})
