import { expect, test } from 'bun:test'
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Scheme, type SizeName, schemes, sizeNames } from '../../../../src/assets/og/theme.ts'
import { type ThemeName, themeNames } from '../../../../src/assets/og/themes.ts'
import { paintScene, repainting } from '../../../../src/raster/paint-scene.ts'
import { encodePicture, type PictureEncoding } from '../../../../src/raster/picture-formats.ts'
import { cards } from '../corpus.ts'
import { proportionedPictures } from './pictures.ts'

/** No edge of any theme falls on a whole pixel at these. */
const widths = [301, 317, 347, 383, 401, 439, 499, 547, 601, 733, 1201, 1999] as const
const encodings: readonly PictureEncoding[] = [
  { format: 'png' },
  { format: 'jpeg', quality: 82 },
  { format: 'webp', quality: 82 },
]
const pictures = await proportionedPictures()

interface Look {
  readonly theme: ThemeName
  readonly size: SizeName
  readonly scheme: Scheme
  readonly picture: number
}

interface Drawing extends Look {
  readonly width: number
  readonly encoding: PictureEncoding
}

const looks: readonly Look[] = themeNames.flatMap((theme) =>
  sizeNames.flatMap((size) =>
    schemes.flatMap((scheme) => pictures.map((_, picture) => ({ theme, size, scheme, picture }))),
  ),
)

/** A sample leaves out the widest, which take longer than all others together. */
const narrow = widths.slice(0, -3)

/** Every second look, so that each theme meets every size, picture, scheme and format, and about every width. */
function* sample(): Generator<Drawing> {
  for (let index = 0; index < looks.length; index += 2) {
    const look = looks[index + (Math.floor(index / 6) % 2)]
    const width = narrow[(index * 7 + Math.floor(index / 20)) % narrow.length]
    const encoding = encodings[(index + Math.floor(index / 6)) % encodings.length]
    if (look && width && encoding) yield { ...look, width, encoding }
  }
}

/** 6,480 pictures, which take about ten minutes: `EVERY_PICTURE_WIDTH=1 bun test <this file>`. */
function* everything(): Generator<Drawing> {
  for (const look of looks)
    for (const width of widths) for (const encoding of encodings) yield { ...look, width, encoding }
}

const isSlow = process.env['EVERY_PICTURE_WIDTH'] === '1'

test(
  'a card over a brand’s picture is drawn whole at every width, in every theme, size and format',
  async () => {
    const faults: string[] = []
    for (const drawing of isSlow ? everything() : sample()) {
      // The memory of a drawing is freed by the event loop.
      await nextTurn()
      const { theme, size, scheme, picture, width, encoding } = drawing
      const given = pictures[picture]
      const brand = { key: 'harbour@1', ...(given && { picture: given }) }
      const { scene } = await cards.composed({ params: { title: 'Harbour', theme, size, scheme }, brand })
      const name = `${theme} ${scheme} ${size} ${width} ${encoding.format} picture ${picture}`
      const options = { onFault: (fault: string) => void faults.push(`${name}: ${fault}`) }
      const bitmap = paintScene(scene, width, options)
      expect(bitmap.channels).toBe(3)
      await encodePicture(bitmap, encoding, repainting(scene, width, options))
    }
    expect(faults).toEqual([])
  },
  isSlow ? 3_600_000 : 60_000,
)
