import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { og } from '../../src/assets/og/asset.ts'
import { createOgProducer } from '../../src/assets/og/produce.ts'
import { ogQuery } from '../../src/assets/og/query.ts'
import { allowedValues } from '../../src/lib/fields.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import {
  encodePicture,
  formatOfFileName,
  formatOfMediaType,
  isLossyFormat,
  pictureFormatNames,
  pictureFormats,
  pixelFormatNames,
} from '../../src/raster/picture-formats.ts'
import { assetPaths } from '../../src/site/openapi/asset-paths.ts'
import { exampleCard } from './example-scenes.ts'

const cardPaths = JSON.parse(JSON.stringify(assetPaths([og], false)))

describe('what is known of a picture format comes from its row', () => {
  test.each(pictureFormatNames)('%s', async (name) => {
    const { mediaType, extensions } = pictureFormats[name]
    expect(allowedValues(ogQuery.properties.format)).toContain(name)
    const producer = createOgProducer({} as Parameters<typeof createOgProducer>[0])
    expect(producer.describe({ title: 'A', format: name, size: 'og', overflow: 'error' })).toEqual({
      contentType: mediaType,
      filename: `a.${extensions[0]}`,
    })
    expect(formatOfMediaType(`${mediaType}; charset=utf-8`)).toBe(pictureFormats[name])
    for (const extension of extensions) expect(formatOfFileName(`A.b.${extension.toUpperCase()}`)).toBe(name)
    const { schema } = cardPaths['/api/og'].get.responses[200].content[mediaType]
    expect(schema).toEqual({ type: 'string', format: 'binary' })
  })

  test.each(pixelFormatNames)('%s has a path, an encoder, and a reader of what that writes', async (name) => {
    const { extensions, readHeader, loadEncoder } = pictureFormats[name]
    expect(Object.keys(cardPaths)).toContain(`/api/og.${extensions[0]}`)
    expect(await loadEncoder()).toBeInstanceOf(Function)
    const bitmap = paintScene(exampleCard('term-b').scene, 301)
    const encoding = isLossyFormat(name) ? { format: name, quality: 82 } : { format: name }
    const file = await encodePicture(bitmap, encoding)
    expect(readHeader(new DataView(file.buffer, file.byteOffset, file.byteLength))).toMatchObject({
      widthPx: 301,
      heightPx: 158,
    })
  })

  test('no other file lists media types or extensions of what we make', async () => {
    const own = [
      'src/raster/picture-formats.ts',
      // Formats of uploads, and the formats in which files of a brand are stored.
      'src/raster/picture-headers.ts',
      'src/assets/og/brand/upload-rules.ts',
      'src/brands/brand-loader.ts',
      'src/store/brands.ts',
      // Our own JPEG of a brand's picture, as part of an SVG.
      'src/raster/background-svg.ts',
      // Paths of other services, and links that a crawler does not follow.
      'src/routes/compatibility/compatibility-urls.ts',
      'src/assets/sitemap/crawl-pages.ts',
    ]
    const root = new URL('../../', import.meta.url).pathname
    const found: string[] = []
    for await (const file of new Glob('{src,admin}/**/*.{ts,tsx}').scan(root)) {
      const text = await Bun.file(root + file).text()
      if (/image\/(?:jpeg|webp)\b|jpe\?g|'webp', ?'|'jpe?g', ?'webp'/.test(text) && !own.includes(file))
        found.push(file)
    }
    expect(found).toEqual([])
  })
})
