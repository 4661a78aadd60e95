import type { ServedAsset } from '../src/assets/kit/asset.ts'
import { scrimContrastMin } from '../src/assets/og/background/scrim.ts'
import type { BrandPicture } from '../src/assets/og/brand/brand-images.ts'
import type { CardBrand } from '../src/assets/og/brand/card-brand.ts'
import type { TextRole } from '../src/assets/og/canvas.ts'
import type { CardParams, ComposedCard } from '../src/assets/og/card-renderer.ts'
import type { PixelPicture } from '../src/assets/og/drawing-pool.ts'
import { mayNeedManyFonts, withFontCount } from '../src/assets/og/font-bound.ts'
import type { PlacedLogo } from '../src/assets/og/logo/place-logo.ts'
import { sceneToSvg } from '../src/assets/og/scene-to-svg.ts'
import { filled, wholeCard } from '../src/assets/og/shapes.ts'
import { type Scheme, type SizeName, schemes } from '../src/assets/og/theme.ts'
import { Problem } from '../src/errors.ts'
import { type DrawingService, drawnResponse } from '../src/http/drawing-service.ts'
import type { RenderedAsset, RequestContext } from '../src/http/request-context.ts'
import { type Body, piecesBody, textBody } from '../src/lib/body.ts'
import { contrastRatio, parseHex, white } from '../src/lib/color.ts'
import type { QueueClient } from '../src/lib/waiter.ts'
import { pictureFormats } from '../src/raster/picture-formats.ts'
import type { Scene } from '../src/raster/scene.ts'
import { blockPath } from '../src/text/block-path.ts'
import { type CardFont, factsOf } from '../src/text/brand-fonts/brand-font.ts'
import { cleanText } from '../src/text/clean-text.ts'
import type { TextDrawer } from '../src/text/text-drawer.ts'

import previewWidthsPx from './brands/preview-widths.json' with { type: 'json' }
import samples from './brands/script-samples.json' with { type: 'json' }

type Picture = Pick<RenderedAsset, 'body' | 'contentType'>

export interface BrandPart {
  readonly part: (typeof brandParts)[number]
  readonly title: string
  readonly size: SizeName
  readonly scheme?: Scheme | undefined
  /** Its texts stand in for those of the sample and the title. */
  readonly script?: (typeof scripts)[number] | undefined
}

export const scripts = Object.keys(samples) as (keyof typeof samples)[]

export const brandParts = ['card', 'logo', 'picture', 'titleFont', 'textFont'] as const

const { subtitle, author } = samples.Latin

export const sampleTexts = { subtitle, author, url: 'example.com/notes' }

/** Width in pixels at which each size is rasterized: twice the width at which pages show it. */
const widthsPx: Readonly<Record<SizeName, number>> = previewWidthsPx
const pictureWidthPx = 640
const logoMarginPx = 24

/** Draws what pages of the operator show: parts of brands, and cards that networks fetched. A `client` is a session. */
export function createDrawing(drawings: DrawingService, text: TextDrawer, assets: readonly ServedAsset[]) {
  async function drawLogo(brand: CardBrand, params: CardParams, client: QueueClient) {
    const composed = await drawings.cardLayout({ params, brand, client })
    const scene = composed.logo && logoScene(composed.logo, composed.scene.background.color)
    if (scene === undefined || brand.logo?.kind === 'pixels')
      return scene && drawings.pixelsOf(scene, webp(scene.widthPx * 2), client)
    return svgPicture(piecesBody(sceneToSvg(scene, { title: '', desc: '' })))
  }

  async function drawFile(brand: CardBrand, { part, ...texts }: BrandPart, client: QueueClient) {
    if (part === 'logo') return await drawLogo(brand, await cardParams(texts), client)
    if (part === 'picture')
      return brand.picture && drawings.pixelsOf(pictureScene(brand.picture), webp(pictureWidthPx), client)
    const font = part === 'card' ? undefined : brand[part]
    return font && (await fontSample(font, part === 'titleFont' ? 700 : 400, text))
  }

  return {
    /** Draws a part of a brand, which no cache stores. Undefined if the brand has no such part. */
    async brandPart(client: QueueClient, brand: CardBrand, part: BrandPart): Promise<Picture | undefined> {
      const who = { for: 'operator', client } as const
      if (part.part !== 'card') return await drawings.bounded(who, () => drawFile(brand, part, client))
      // Pictures would be large within an SVG.
      const hasPixels = brand.logo?.kind === 'pixels' || brand.picture !== undefined
      const pixels = hasPixels ? webp(widthsPx[part.size]) : undefined
      return await drawings.card({ params: await cardParams(part), brand, pixels }, who)
    },
    async sharedCard(
      client: QueueClient,
      card: Readonly<Record<'asset' | 'query', string>>,
      context: RequestContext,
    ): Promise<Picture> {
      const isPicture = assets.some(({ asset }) => asset.id === card.asset && !asset.isLive)
      if (!isPicture || card.query === '') throw notDrawn()
      try {
        const who = { for: 'operator', client } as const
        return (await drawings.asset(card.asset, card.query, context, who)).rendered
      } catch (error) {
        // The brand was archived, or this version refuses what an earlier one took.
        throw error instanceof Problem && error.code !== 'busy' ? notDrawn(error) : error
      }
    },
    /** The contrasts of a brand's texts. They need no file of the brand, so a page need not wait for pictures. */
    async contrasts(brand: CardBrand): Promise<readonly SchemeContrast[]> {
      const { titleFont: _title, textFont: _text, logo: _logo, ...look } = brand
      const params = { ...sampleTexts, title: 'A', subtitle: 'a' }
      const found: SchemeContrast[] = []
      for (const scheme of schemes) {
        const composed = await drawings.cardLayout({ params: { ...params, scheme }, brand: look })
        found.push(contrastOf(scheme, composed))
      }
      return found
    },
  }
}

/** The title is cut where its characters need more fonts than a card loads. */
async function cardParams({ title, size, scheme, script }: Omit<BrandPart, 'part'>): Promise<CardParams> {
  const texts = { ...sampleTexts, title, ...(script && samples[script]) }
  const params: CardParams = { ...texts, size, ...(scheme && { scheme }) }
  return mayNeedManyFonts(params) ? await withFontCount(({ cutToFonts }) => cutToFonts(params)) : params
}

function notDrawn(cause?: Problem): Problem {
  return new Problem('not_found', 'This card cannot be drawn again.', { cause })
}

function webp(widthPx: number): PixelPicture {
  return { widthPx, encoding: { format: 'webp', quality: 82 } }
}

function svgPicture(body: Body): Picture {
  return { contentType: pictureFormats.svg.mediaType, body }
}

/** A logo as its card paints it, with the plate that it may need, on the card's background. */
function logoScene({ area, layers }: PlacedLogo, color: string): Scene {
  const size = {
    widthPx: Math.ceil(area.width) + 2 * logoMarginPx,
    heightPx: Math.ceil(area.height) + 2 * logoMarginPx,
  }
  return {
    ...size,
    background: { key: `logo on ${color}`, color, defs: '', body: filled(color, wholeCard(size)) },
    layers: layers.map((layer) => ({
      ...layer,
      x: layer.x - area.x + logoMarginPx,
      y: layer.y - area.y + logoMarginPx,
    })),
  }
}

/** The whole picture, so that any point of it can be chosen as the focal point. */
function pictureScene({ key, jpeg, widthPx, heightPx }: BrandPicture): Scene {
  const picture = { jpeg, x: 0, y: 0, widthPx, heightPx }
  const background = { key: `picture ${key}`, color: '#000000', defs: '', body: '', picture }
  return { widthPx, heightPx, background, layers: [] }
}

export function fontName(font: CardFont): string {
  return cleanText(factsOf(font).family ?? '') || 'Unnamed font'
}

/** The name of a font, set in it, in an ink that reads on light and dark pages. */
async function fontSample(font: CardFont, usualWeight: number, text: TextDrawer): Promise<Picture> {
  const name = fontName(font)
  const style = { family: 'sans', weight: factsOf(font).weight ?? usualWeight, font } as const
  const fitted = await text.draw([{ text: name, style }], (fitter) =>
    fitter.line(name, style, 24, undefined, 360),
  )
  const { d, scale } = blockPath(fitted, 'start', fitted.widthPx, true)
  const [width, height] = [Math.ceil(fitted.widthPx), Math.ceil(fitted.heightPx)]
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  const inks = 'path{fill:#1b1b1f}@media(prefers-color-scheme:dark){path{fill:#ececee}}'
  const path = `<path transform="scale(${scale})" d="${d}"/>`
  return svgPicture(
    textBody(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><style>${inks}</style>${path}</svg>`),
  )
}

/** Colours of a card, `#rrggbb`, and the WCAG contrast ratios of its texts. */
export type SchemeContrast = ReturnType<typeof contrastOf>

/** The contrasts of the title and of the other texts on the background, or those that a scrim keeps on a picture. */
function contrastOf(scheme: Scheme, { scene, texts }: ComposedCard) {
  const { color: background, picture } = scene.background
  const isMinimum = picture !== undefined
  function inkOf(role: TextRole, ratioMin: number) {
    const color = texts.find((each) => each.role === role)?.fill ?? background
    const ratio = contrastRatio(parseHex(color) ?? white, parseHex(background) ?? white)
    return { color, ratio: isMinimum ? Math.min(ratio, ratioMin) : ratio }
  }
  return {
    scheme,
    background,
    title: inkOf('title', scrimContrastMin.title),
    text: inkOf('subtitle', scrimContrastMin.text),
    /** True if the ratios are those that the scrim keeps everywhere on a picture. */
    isMinimum,
  }
}

/** The picture as a response; in place of one that cannot be drawn a grey box, with the status that says why. */
export async function drawnOrGrey(cacheControl: string, draw: () => Promise<Picture>): Promise<Response> {
  try {
    return drawnResponse(await draw(), cacheControl)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const box =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#8888" d="M0 0h1v1H0z"/></svg>'
    return new Response(box, {
      status: error.status,
      headers: { ...error.headers, 'content-type': 'image/svg+xml', 'cache-control': 'no-store' },
    })
  }
}
