import { scrimContrastMin } from '../../src/assets/og/background/scrim.ts'
import { filled, wholeCard } from '../../src/assets/og/background.ts'
import type { BrandPicture } from '../../src/assets/og/brand/brand-picture.ts'
import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import type { TextRole } from '../../src/assets/og/canvas.ts'
import type { ComposedCard } from '../../src/assets/og/card-renderer.ts'
import { logoColors } from '../../src/assets/og/logo/logo-colors.ts'
import type { PlacedLogo } from '../../src/assets/og/logo/place-logo.ts'
import { type Scheme, schemes } from '../../src/assets/og/theme.ts'
import { contrastRatio, parseHex, white } from '../../src/lib/color.ts'
import type { Scene } from '../../src/raster/scene.ts'
import { blockPath } from '../../src/text/block-path.ts'
import type { CardFont } from '../../src/text/brand-fonts/brand-font.ts'
import { factsOf } from '../../src/text/brand-fonts/font-facts.ts'
import { cleanText } from '../../src/text/clean-text.ts'
import type { TextEngine } from '../../src/text/text-engine.ts'

/** The files of a brand as cards show them, and what follows from its colours. */
export interface BrandDetails {
  /** The logo on the background of each scheme; empty without a logo. */
  readonly logos: readonly SmallPicture[]
  /** Colours of the logo, `#rrggbb`. */
  readonly colors: readonly string[]
  readonly titleFont?: FontSample | undefined
  readonly textFont?: FontSample | undefined
  readonly picture?: SmallPicture | undefined
  readonly contrasts: readonly SchemeContrast[]
}

export interface SmallPicture {
  /** A `data:` URI. */
  readonly source: string
  readonly widthPx: number
  readonly heightPx: number
}

/** The name of a font, set in it, as an outline of which a unit is `scale` px. */
export interface FontSample {
  readonly name: string
  readonly path: string
  readonly scale: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Colours of a card, `#rrggbb`, and the WCAG contrast ratios of its texts. */
export interface SchemeContrast {
  readonly scheme: Scheme
  readonly background: string
  readonly title: InkContrast
  readonly text: InkContrast
  /** True if the ratios are those that the scrim keeps everywhere on a picture. */
  readonly isMinimum: boolean
}

export interface InkContrast {
  readonly color: string
  readonly ratio: number
}

interface DetailDeps {
  readonly text: Pick<TextEngine, 'draw'>
  readonly compose: (scheme: Scheme) => Promise<ComposedCard>
  /** Returns a `data:` URI. @param hasPixels true if the scene holds pictures, which would make an SVG large */
  readonly encode: (scene: Scene, widthPx: number, hasPixels: boolean) => Promise<string>
}

const colorsMax = 5
const pictureWidthPx = 640
/** Room around the logo in its thumbnail. */
const logoMarginPx = 24

/** Draws what the form of a brand shows beside its fields. */
export async function brandDetails(brand: CardBrand, deps: DetailDeps): Promise<BrandDetails> {
  const { logo, titleFont, textFont, picture } = brand
  const cards: (readonly [Scheme, ComposedCard])[] = []
  for (const scheme of schemes) cards.push([scheme, await deps.compose(scheme)])
  const logos = cards.map(async ([, card]) => {
    const scene = card.logo && logoScene(card.logo, card.scene.background.color)
    return (
      scene && {
        ...sizeOf(scene),
        source: await deps.encode(scene, scene.widthPx * 2, logo?.kind === 'pixels'),
      }
    )
  })
  return {
    logos: (await Promise.all(logos)).filter((each) => each !== undefined),
    colors: logo === undefined ? [] : logoColors(logo, colorsMax),
    titleFont: titleFont && (await fontSample(titleFont, 700, deps.text)),
    textFont: textFont && (await fontSample(textFont, 400, deps.text)),
    picture: picture && (await smallPicture(picture, deps)),
    contrasts: cards.map(([scheme, card]) => contrastOf(scheme, card)),
  }
}

function sizeOf({ widthPx, heightPx }: Scene) {
  return { widthPx, heightPx }
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
async function smallPicture(
  { key, jpeg, widthPx, heightPx }: BrandPicture,
  { encode }: DetailDeps,
): Promise<SmallPicture> {
  const picture = { jpeg, x: 0, y: 0, widthPx, heightPx }
  const background = { key: `picture ${key}`, color: '#000000', defs: '', body: '', picture }
  const scene = { widthPx, heightPx, background, layers: [] }
  return { widthPx, heightPx, source: await encode(scene, Math.min(widthPx, pictureWidthPx), true) }
}

async function fontSample(font: CardFont, weight: number, text: DetailDeps['text']): Promise<FontSample> {
  const { family = '', weight: ownWeight = weight } = factsOf(font)
  const name = cleanText(family) || 'Unnamed font'
  const style = { family: 'sans', weight: ownWeight, font } as const
  const fitted = await text.draw([{ text: name, style }], (fitter) =>
    fitter.line(name, style, 24, undefined, 360),
  )
  const { d, scale } = blockPath(fitted, 'start', fitted.widthPx, true)
  return { name, path: d, scale, widthPx: Math.ceil(fitted.widthPx), heightPx: Math.ceil(fitted.heightPx) }
}

/** The contrasts of the title and of the other texts on the background, or those that a scrim keeps on a picture. */
function contrastOf(scheme: Scheme, { scene, texts }: ComposedCard): SchemeContrast {
  const { color: background, picture } = scene.background
  const isMinimum = picture !== undefined
  function inkOf(role: TextRole, ratioMin: number): InkContrast {
    const color = texts.find((each) => each.role === role)?.fill ?? background
    const ratio = contrastRatio(parseHex(color) ?? white, parseHex(background) ?? white)
    return { color, ratio: isMinimum ? Math.min(ratio, ratioMin) : ratio }
  }
  return {
    scheme,
    background,
    title: inkOf('title', scrimContrastMin.title),
    text: inkOf('subtitle', scrimContrastMin.text),
    isMinimum,
  }
}
