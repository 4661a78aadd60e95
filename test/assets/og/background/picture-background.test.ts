import { describe, expect, test } from 'bun:test'
import { coverPicture } from '../../../../src/assets/og/background/scrim.ts'
import type { BrandPicture } from '../../../../src/assets/og/brand/brand-images.ts'
import { cardSizes, pictureLayouts, schemes, sizeNames } from '../../../../src/assets/og/theme.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { contrastRatio, parseHex, type Rgb } from '../../../../src/lib/color.ts'
import { paintScene } from '../../../../src/raster/paint-scene.ts'
import { encodePicture } from '../../../../src/raster/picture-formats.ts'
import type { Scene } from '../../../../src/raster/scene.ts'
import { sampleOf, sampleSize, slowTest } from '../../../support/test-size.ts'
import { cards, inkBoxes } from '../corpus.ts'
import { backgroundOf } from '../random-text.ts'
import cases from './picture-background.json' with { type: 'json' }
import { groundPictures } from './pictures.ts'

const words = cases.words

const pictures = await groundPictures()
const [bright, dark, busy] = pictures as [BrandPicture, BrandPicture, BrandPicture]
const footer = 'A line of the brand that stands where the theme has room'

const sizesAndLayouts = sizeNames.flatMap((size) =>
  [undefined, ...pictureLayouts].map((layout) => [size, layout] as const),
)

/** The colours of a background, and those of its picture alone. */
function withBare(scene: Scene) {
  return [scene, { ...scene, background: { ...scene.background, body: '' } }].map((each) =>
    backgroundOf(each, 1),
  ) as [ColorsAt, ColorsAt]
}

type ColorsAt = ReturnType<typeof backgroundOf>

/** Colours along the line where titles stand. */
function rowOf(scene: Scene): readonly string[] {
  const at = backgroundOf(scene, 1)
  const y = Math.round(scene.heightPx * (scene.heightPx > scene.widthPx ? 0.6 : 0.55))
  return Array.from({ length: 60 }, (_, index) => JSON.stringify(at(84 + index * 8, y)))
}

describe('a picture as background', () => {
  // Every theme, scheme, size and layout, measured at each second pixel.
  test('leaves every text its contrast with every pixel below it, also of what is finer than a pixel', async () => {
    const faults: string[] = []
    let index = 0
    for (const theme of sampleOf(themeNames, 3))
      for (const scheme of schemes)
        for (const [size, pictureLayout] of sampleOf(sizesAndLayouts, 9)) {
          index += 1
          const params = { theme, scheme, size, ...words[index % 2 === 0 ? 'ltr' : 'rtl'] }
          const picture = pictures[index % pictures.length]
          const brand = {
            key: 'harbour@1',
            footer,
            ...(picture && { picture }),
            ...(pictureLayout && { pictureLayout }),
          }
          const { scene, texts } = await cards.composed({ params, brand })
          const under = backgroundOf(scene, 1)
          for (const text of texts.filter(({ role }) => role !== 'initials')) {
            const ink = parseHex(text.fill) ?? { r: 0, g: 0, b: 0 }
            const isOnSlab = theme === 'terminal' && text.role === 'author'
            let least = 21
            for (const { left, top, right, bottom } of isOnSlab ? [] : inkBoxes(text))
              for (let y = top; y < bottom; y += 2)
                for (let x = left; x < right; x += 2) least = Math.min(least, contrastRatio(ink, under(x, y)))
            if (least < (text.role === 'title' ? 7 : 4.5))
              faults.push(
                `${theme} ${scheme} ${size} ${pictureLayout} ${index % pictures.length}: ${text.role} ${least.toFixed(2)}`,
              )
          }
        }
    expect(faults).toEqual([])
  })

  test('is cropped around its focus, and covers its area whatever the proportions', () => {
    const area = { x: 0, y: 0, width: 1200, height: 630 }
    for (const picture of pictures) {
      const { picture: placed } = coverPicture(picture, area, 1200, 'ltr')
      expect(placed.x).toBeLessThanOrEqual(0)
      expect(placed.y).toBeLessThanOrEqual(0)
      expect(placed.x + placed.widthPx).toBeGreaterThanOrEqual(1200 - 1e-6)
      expect(placed.y + placed.heightPx).toBeGreaterThanOrEqual(630 - 1e-6)
      expect(placed.x + (placed.widthPx * picture.focus.x) / 100).toBeWithin(-1e-6, 1200 + 1e-6)
      expect(placed.y + (placed.heightPx * picture.focus.y) / 100).toBeWithin(-1e-6, 630 + 1e-6)
    }
  })

  test('is not mirrored where the card is', async () => {
    const brand = { key: 'harbour@1', picture: bright, pictureLayout: 'cover' } as const
    const ltr = (await cards.composed({ params: { theme: 'paper', ...words.ltr }, brand })).scene.background
    const rtl = (await cards.composed({ params: { theme: 'paper', ...words.rtl }, brand })).scene.background
    expect(rtl.picture).toEqual(ltr.picture)
    const beside = { ...brand, pictureLayout: 'beside' } as const
    const [start, end] = await Promise.all(
      [words.ltr, words.rtl].map((texts) =>
        cards.composed({ params: { theme: 'paper', ...texts }, brand: beside }),
      ),
    )
    expect(start?.scene.background.picture?.widthPx).toBe(end?.scene.background.picture?.widthPx ?? 0)
    expect(start?.scene.background.picture?.x).not.toBe(end?.scene.background.picture?.x ?? 0)
  })

  test('shows more of itself beside the words than below them', async () => {
    const params = { theme: 'aurora', scheme: 'dark', ...words.ltr } as const
    const { scene } = await cards.composed({ params, brand: { key: 'harbour@1', picture: bright } })
    const at = backgroundOf(scene, 1)
    const corner = at(1190, 200)
    const below = at(300, 300)
    expect(corner.r + corner.g + corner.b).toBeGreaterThan(1.4 * (below.r + below.g + below.b))
  })

  test.each(
    sampleOf(
      [
        ['aurora', 'og'],
        ['grid', 'og'],
        ['aurora', 'pin'],
        ['grid', 'square'],
      ] as const,
      4,
    ),
  )(
    'as dark or as bright as its scheme is not keeps its own colours: theme %s, size %s',
    async (theme, size) => {
      for (const [scheme, picture, other] of [
        ['light', dark, bright],
        ['dark', bright, dark],
      ] as const) {
        const params = { theme, scheme, size, ...words.ltr } as const
        const { scene } = await cards.composed({ params, brand: { key: 'harbour@1', picture } })
        const [at, bare] = withBare(scene)
        const spot = size === 'og' ? [1050, 300] : [500, 330]
        const [x = 0, y = 0] = spot
        expect(at(x, y)).toEqual(bare(x, y))
        // Below words there is the theme's own background, and a picture of the scheme's own is seen everywhere.
        const scrimmed = (await cards.composed({ params, brand: { key: 'harbour@1', picture: other } })).scene
        // The grid has lines there.
        expect(new Set(rowOf(scene)).size).toBeLessThanOrEqual(theme === 'grid' ? 3 : 1)
        expect(new Set(rowOf(scrimmed)).size).toBeGreaterThan(5)
      }
    },
  )

  const edges = (['aurora', 'grid'] as const).flatMap((theme) =>
    (['square', 'portrait', 'pin'] as const).map((size) => [theme, size] as const),
  )
  test.each(sampleOf(edges, 16))(
    'reaches the upper edge of a card that is not wide: theme %s, size %s',
    async (theme, size) => {
      for (const picture of pictures.slice(0, sampleSize(2, 1)))
        for (const scheme of schemes) {
          const params = { theme, scheme, size, ...words.ltr } as const
          const brand = { key: 'harbour@1', picture }
          const { scene } = await cards.composed({ params, brand })
          const [at, bare] = withBare(scene)
          for (const x of [4, 500, scene.widthPx - 4]) expect(at(x, 8)).toEqual(bare(x, 8))
        }
    },
  )

  test.each(sampleOf(sizeNames, 3))(
    'reaches all edges as a cover, the end or the head beside words, and the head above them: size %s',
    async (size) => {
      const { widthPx, heightPx, shape } = cardSizes[size]
      /** The corners of the head at the start and the end, the middle of both sides, and the head's middle. */
      const spots = [
        ['head start', 4, 4],
        ['head end', widthPx - 4, 4],
        ['end', widthPx - 4, heightPx * 0.5],
        ['foot end', widthPx - 4, heightPx - 4],
      ] as const
      for (const theme of themeNames)
        for (const layout of pictureLayouts) {
          const params = { theme, scheme: 'dark', size, title: 'Notes', author: 'Ada Lovelace' } as const
          const brand = { key: 'harbour@1', picture: bright, pictureLayout: layout }
          const { scene } = await cards.composed({ params, brand })
          const [at, bare] = withBare(scene)
          const whole = spots.filter(([, x, y]) => isNear(at(x, Math.round(y)), bare(x, Math.round(y))))
          const seen = whole.map(([name]) => name)
          const isBeside = layout === 'beside' || theme === 'terminal'
          if (layout === 'cover')
            expect([theme, seen.slice(0, 2)]).toEqual([theme, ['head start', 'head end']])
          else if (shape === 'wide' && isBeside)
            expect([theme, seen]).toEqual([theme, ['head end', 'end', 'foot end']])
          else expect([theme, seen]).toEqual([theme, ['head start', 'head end']])
        }
    },
  )

  test('is not kept by what is kept of a look: the brand has it', async () => {
    const params = { theme: 'grid', ...words.ltr } as const
    for (const jpeg of [bright.jpeg, Uint8Array.from(bright.jpeg)]) {
      const brand = { key: 'harbour@1', picture: { ...bright, jpeg } }
      expect((await cards.composed({ params, brand })).scene.background.picture?.jpeg).toBe(jpeg)
    }
  })

  test('needs nothing from outside', async () => {
    const params = { theme: 'poster', ...words.ltr } as const
    const brand = { key: 'harbour@1', picture: busy }
    const svg = (await cards.svgPieces({ params, brand })).join('')
    const links = [...svg.matchAll(/href="([^"]{0,24})/g)].map(([, link]) => link)
    expect(links).toEqual(['data:image/jpeg;base64,/'])
  })

  slowTest('makes JPEG files that networks take, under 600 KB in every size', async () => {
    for (const size of sizeNames) {
      const { scene } = await cards.composed({
        params: { theme: 'grid', size, ...words.ltr },
        brand: { key: 'harbour@1', picture: busy },
      })
      const bitmap = paintScene(scene, cardSizes[size].widthPx)
      const jpeg = await encodePicture(bitmap, { format: 'jpeg', quality: 82 })
      expect(jpeg.byteLength).toBeLessThan(600_000)
    }
  })
})

/** Drawings of one colour differ by rounding. */
function isNear(one: Rgb, other: Rgb): boolean {
  return Math.abs(one.r - other.r) + Math.abs(one.g - other.g) + Math.abs(one.b - other.b) < 8
}
