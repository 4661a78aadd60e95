import { afterAll, expect, test } from 'bun:test'
import { Resvg } from '@resvg/resvg-js'
import { schemes, sizeNames } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { paintScene, repainting } from '../../../src/raster/paint-scene.ts'
import {
  backgroundColorsMaxOf,
  encodePicture,
  type PictureEncoding,
} from '../../../src/raster/picture-formats.ts'
import { painter } from '../../../src/raster/pixel-canvas.ts'
import type { Scene } from '../../../src/raster/scene.ts'
import { readPicture } from '../../support/strict-readers.ts'
import { sampleOf } from '../../support/test-size.ts'
import { groundPictures } from './background/pictures.ts'
import { compareDrawings } from './brand/support/example-files.ts'
import { cards } from './corpus.ts'

/** Pictures of emoji have more colours than a palette; the last title has none. */
const titles = ['🚀🫠👩🏽‍💻', 'Party 🎉🥳🎊', '👋🏻👍🏼🙏🏽👩🏾‍🚀👨🏿‍🌾🧑🏽‍🎨', 'Release 4.2']
const encodings: readonly PictureEncoding[] = [
  { format: 'png' },
  { format: 'jpeg', quality: 82 },
  { format: 'webp', quality: 82 },
  { format: 'webp', quality: 95 },
]
const [photograph] = await groundPictures()

/** Kinds of files that were read: PNG's types of colours, 2 without a palette and 3 with one, and WebP's chunks, with and without loss. */
const kinds = new Set<string>()
afterAll(() => expect([...kinds]).toEqual(expect.arrayContaining(['VP8 ', 'VP8L', 'png 2', 'png 3'])))

function kindOf(file: Buffer, format: string): string {
  if (format === 'webp') return file.toString('latin1', 12, 16)
  return format === 'png' ? `png ${file.readUInt8(25)}` : format
}

/** The file of a card, made as a worker makes it, in memory that was full of one byte. */
async function encoded(scene: Scene, encoding: PictureEncoding, before: number): Promise<Buffer> {
  const options = { backgroundColorsMax: backgroundColorsMaxOf(encoding) }
  const canvasAt = painter().colorsAt()
  if (canvasAt > 0) new Uint8Array(painter().memory.buffer, canvasAt).fill(before)
  const bitmap = paintScene(scene, scene.widthPx, options)
  return Buffer.from(await encodePicture(bitmap, encoding, repainting(scene, scene.widthPx, options)))
}

test.each(sampleOf(themeNames, 3))(
  'every file of a card of %s shows its SVG to the readers of others, whatever was in memory before',
  async (theme) => {
    let index = themeNames.indexOf(theme)
    for (const size of sampleOf(sizeNames, sizeNames.length))
      for (const scheme of schemes)
        for (const picture of [undefined, photograph]) {
          const title = titles[index++ % titles.length] ?? ''
          const align = index % 3 === 0 ? ('center' as const) : ('start' as const)
          const params = { theme, size, scheme, title, align, author: 'Ada 👩🏾‍🚀', url: 'example.com' }
          const card = { params, brand: picture && { key: 'a@1', picture } }
          const { scene } = await cards.composed(card)
          const { widthPx, heightPx } = scene
          const { pixels } = new Resvg((await cards.svgPieces(card)).join('')).render()
          for (const encoding of sampleOf(encodings, 2)) {
            const look = `${Object.values(encoding)} ${size} ${scheme} ${title} ${picture?.key}`
            const file = await encoded(scene, encoding, 255)
            const { rgba, ...read } = await readPicture(file)
            expect(read, look).toEqual({ format: encoding.format, widthPx, heightPx })
            const { mean, farShare } = compareDrawings(rgba, pixels, 48)
            expect(mean, look).toBeLessThan(2)
            expect(farShare, look).toBeLessThan(0.005)
            expect(file.equals(await encoded(scene, encoding, 0)), look).toBe(true)
            kinds.add(kindOf(file, encoding.format))
          }
        }
  },
)
