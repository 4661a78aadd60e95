import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import type { Asset } from '../assets/kit/asset.ts'
import type { BrandPicture } from '../assets/og/brand/brand-images.ts'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import { type LogoDeps, readPicture } from '../assets/og/brand/read-upload.ts'
import type { ThemeSource } from '../assets/og/themes.ts'
import { Problem } from '../errors.ts'
import { type DrawingService, drawnResponse, type LooseCard } from '../http/drawing-service.ts'
import type { RenderedAsset, RequestContext } from '../http/request-context.ts'
import { type Body, bodyText } from '../lib/body.ts'
import { projectFile } from '../lib/package-files.ts'
import { pictureFormats } from '../raster/picture-formats.ts'
import { isPictureType, readPictureHeader } from '../raster/picture-headers.ts'
import samples from './data/samples.json' with { type: 'json' }
import {
  brandRows,
  choices,
  type ExampleBrand,
  errorCards,
  exampleThemes,
  heroCard,
  ownBrand,
  type Picture,
  type PictureFile,
  type PictureSize,
  shareSize,
  shareTexts,
  sizeExamples,
  wallAvatars,
  wallBadges,
  wallCards,
} from './sample-pictures.ts'

const sampleFiles = byFile([
  ...[wallCards, wallBadges, wallAvatars, [heroCard], errorCards].flat(),
  ...sizeExamples.flatMap(({ cards }) => cards),
  ...choices.flatMap(({ pictures }) => pictures),
])
const brandCards = byFile(brandRows.flat())

const cardSeconds = 86_400

function byFile<Shown extends PictureFile>(pictures: readonly Shown[]): ReadonlyMap<string, Shown> {
  return new Map(pictures.map((picture) => [picture.file, picture]))
}

export function picturePath({ file }: Pick<PictureFile, 'file'>): string {
  return `/pictures/${file}`
}

export function examplePicture({ id, example, summary, mediaTypes }: Asset): Picture | undefined {
  if (!mediaTypes.includes('image/svg+xml')) return undefined
  return { file: `example-${id}.svg`, assetId: id, query: { ...example, format: 'svg' }, alt: summary }
}

export type OwnPictures = ReturnType<typeof createPictures>

/** The pictures of our own pages. They are drawn as callers' are, at URLs that are not counted. */
export function createPictures(
  assets: readonly Asset[],
  drawings: DrawingService,
  uploads: LogoDeps['pictures'],
) {
  const examples = byFile(assets.flatMap((asset) => examplePicture(asset) ?? []))
  const backgrounds = new LRUCache<string, Omit<BrandPicture, 'focus'>>({
    max: 20,
    fetchMethod: async (file) =>
      readPicture(await readFile(projectFile(file)), { pictures: uploads, client: 'examples' }),
  })
  const sizes = new Map<string, PictureSize | undefined>()

  async function look({ brand, picture }: ExampleBrand): Promise<CardBrand> {
    if (picture === undefined) return brand
    return { ...brand, picture: { ...(await backgrounds.forceFetch(picture.file)), focus: picture.focus } }
  }

  async function cardOf(file: string): Promise<LooseCard | undefined> {
    const key = `picture ${file}`
    const example = brandCards.get(file)
    if (example !== undefined) {
      const { brand, name: size } = example
      return { key, params: { ...brand.words, size }, brand: await look(brand) }
    }
    const [, theme = ''] = /^theme-of-([1-4]|[a-z]+)\.svg$/.exec(file) ?? []
    if (Number(theme) || exampleThemes.includes(theme))
      return { key, params: samples.theme, brand: { key, themeFile: await themes.forceFetch(theme) } }
    const params = shareTexts.get(/^share-(.+)\.png$/.exec(file)?.[1] ?? '')
    const pixels = { widthPx: shareSize.widthPx, encoding: { format: 'png' } } as const
    return params && { key, params, brand: ownBrand, pixels }
  }

  function draw({ assetId, query }: Picture, context: RequestContext) {
    return drawings.asset(assetId, String(new URLSearchParams(query)), context, drawnForPage(context))
  }

  return {
    /** `GET /pictures/<file>`. Throws `not_found` for a file that is not ours, and `busy`. */
    async response(file: string, context: RequestContext): Promise<Response> {
      context.isUnmadeForHead = true
      const isHead = context.method === 'HEAD'
      const card = await cardOf(file)
      if (card !== undefined) {
        const { mediaType: contentType } = pictureFormats[card.pixels === undefined ? 'svg' : 'png']
        const body = isHead ? null : (await drawings.card(card, drawnForPage(context))).body
        return publicResponse({ contentType, body }, cardSeconds)
      }
      const picture = sampleFiles.get(file) ?? examples.get(file)
      if (picture === undefined) throw new Problem('not_found', 'There is no such picture.')
      if (!isHead) {
        const { rendered, cacheSeconds } = await draw(picture, context)
        return publicResponse(rendered, cacheSeconds)
      }
      const { parsed } = drawings.read(picture.assetId, String(new URLSearchParams(picture.query)), context)
      const { producer, query, cacheSeconds } = parsed
      if ('answer' in producer) throw new Error('A live asset is no picture of ours.')
      return publicResponse({ ...producer.describe(query), body: null }, cacheSeconds)
    },
    /** The size of a picture whose width follows from its text. It is drawn once, so that pages draw none again. */
    async sizeOf(picture: Picture, context: RequestContext): Promise<PictureSize | undefined> {
      if (!sizes.has(picture.file))
        sizes.set(picture.file, pictureSize((await draw(picture, context)).rendered))
      return sizes.get(picture.file)
    },
  }
}

export function drawnForPage({ clientAddress: client }: RequestContext) {
  return { for: 'page', client } as const
}

const themes = new LRUCache<string, ThemeSource>({ max: 20, fetchMethod: readThemeOf })

/** The theme of an example, or of the first blocks of the guide to themes, by their number. */
async function readThemeOf(name: string): Promise<ThemeSource> {
  const { readTheme } = await import('../assets/og/engine/read-theme.ts')
  const blocks = Number(name)
  const file = blocks ? 'docs/themes.md' : `examples/themes/${name}.yaml`
  const source = await readFile(projectFile(file), 'utf8')
  const parts = [...source.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block]) => block)
  const read = readTheme(blocks ? parts.slice(0, blocks).join('') : source)
  if ('mistakes' in read) throw new Error(`${file} is no theme.`)
  return read.theme
}

function publicResponse(picture: Parameters<typeof drawnResponse>[0], cacheSeconds: number): Response {
  const response = drawnResponse(picture, `public, max-age=${cacheSeconds}`)
  response.headers.set('cross-origin-resource-policy', 'cross-origin')
  return response
}

export function pictureSize({
  body,
  contentType,
}: Pick<RenderedAsset, 'body' | 'contentType'>): PictureSize | undefined {
  if (contentType === pictureFormats.svg.mediaType) return svgSize(body)
  const type = contentType.replace('image/', '')
  return isPictureType(type) && typeof body !== 'string' ? readPictureHeader(type, body) : undefined
}

function svgSize(body: Body): PictureSize | undefined {
  const tag = bodyText(body.slice(0, 1024))
  const [, width] = /<svg[^>]*? width="([\d.]+)"/.exec(tag) ?? []
  const [, height] = /<svg[^>]*? height="([\d.]+)"/.exec(tag) ?? []
  return width && height ? { widthPx: Number(width), heightPx: Number(height) } : undefined
}
