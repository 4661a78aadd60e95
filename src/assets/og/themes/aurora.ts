import { fromOklch, type Rgb, toHex, white } from '../../../lib/color.ts'
import { type Accent, accentOf, readable, shade } from '../accent.ts'
import type { Area } from '../area.ts'
import { paletteOn } from '../background/background-colors.ts'
import { hasPicture, type PictureRoom, pictureTheme } from '../background/picture-theme.ts'
import type { ScrimZone } from '../background/picture-under-scrim.ts'
import { filled, wholeCard } from '../background.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import { drawByline } from '../byline.ts'
import type { Canvas } from '../canvas.ts'
import { type CardSize, cardSizes } from '../card-sizes.ts'
import { footerLine } from '../footer-line.ts'
import { type Glow, litColors, paintGlows, readableGlows, stretched } from '../glow.ts'
import { drawLayout, type LayoutSpec, scaledSizes, sizeSteps } from '../layout.ts'
import { ellipse, rectangle, ring } from '../shapes.ts'
import type { CardTexts, Look, Palettes, Scheme, TextColors, Theme } from '../theme.ts'

interface Palette extends TextColors {
  readonly background: Rgb
  /** How visible the rule is, 0 to 1. */
  readonly ruleOpacity: number
  /** Lightness of the glows, and how strong they are at most. */
  readonly lights: readonly [main: number, second: number, third: number]
  readonly power: number
}

const palettes: Palettes<Palette> = {
  dark: {
    background: fromOklch({ l: 0.145, c: 0.012, h: 268 }),
    ink: white,
    paleInk: { r: 186, g: 194, b: 209 },
    ruleOpacity: 0.16,
    lights: [0.6, 0.54, 0.5],
    power: 1,
  },
  light: {
    background: { r: 252, g: 251, b: 249 },
    ink: fromOklch({ l: 0.2, c: 0.03, h: 268 }),
    paleInk: fromOklch({ l: 0.42, c: 0.03, h: 268 }),
    ruleOpacity: 0.14,
    lights: [0.8, 0.83, 0.87],
    power: 1,
  },
}

const styles = {
  title: { family: 'sans', weight: 700, trackingUnits: -24 },
  subtitle: { family: 'sans', weight: 400 },
  author: { family: 'sans', weight: 600 },
  domain: { family: 'sans', weight: 400 },
} as const

/** Where everything stands, in px. */
interface Composition {
  readonly content: Area
  readonly layout: LayoutSpec
  /** Where title and subtitle end above the author, and where they end without. */
  readonly textBottom: number
  readonly ruleY: number
  readonly footerY: number
  /** The middle of the domain where it stands above the title. */
  readonly headY?: number
  /** Narrower and lower bounds of title and subtitle beside a picture. */
  readonly textWidth?: number
  readonly textTop?: number
  /** Where a logo stands, and how far the text keeps from it. */
  readonly logo: Area
  readonly logoGapPx: number
  /** Size of labels and their spacing, as a multiple of the usual one. */
  readonly unit: number
}

/** Theme: coloured lights in the corners of the sky, at night or in the morning. */
export const aurora: Theme = {
  flat: false,
  styles,
  prepare(look) {
    const { accent, size, brandBackground } = look
    const { palette, scheme } = paletteOn(palettes, look.scheme, 'dark', brandBackground, (base, colors) => ({
      ...base,
      ...colors,
    }))
    const composition = size.shape === 'wide' ? wide(size) : upright(size)
    const lightness = Math.max(0.45, Math.min(0.6, accent.main.l))
    const discColor = readable({ ...accent.main, l: lightness }, white, 4.6)
    if (hasPicture(brandBackground))
      return pictureTheme(
        brandBackground,
        look,
        scheme,
        { ...palette, discColor },
        pictureRoom(look, composition),
        draw,
      )
    const lights = brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
    const glows = readableGlows(
      (power) => glowsOf(lights, scheme, size, power * palette.power),
      palette.background,
      composition.content,
      [
        { color: palette.paleInk, ratio: 4.6 },
        { color: palette.ink, ratio: 7.1 },
      ],
    )
    const { defs, body } = paintGlows(glows, size)
    const logoBackgrounds = litColors(palette.background, glows, composition.logo)
    const colors = { ...palette, discColor, logoBackgrounds }
    return {
      background: {
        color: toHex(palette.background),
        defs,
        body: filled(palette.background, wholeCard(size)) + body,
      },
      content: composition.content,
      draw: (texts, canvas, logo) => draw(texts, canvas, composition, colors, logo),
    }
  },
}

/** A brand's picture is the sky of the whole card, or a part of it. */
function pictureRoom(look: Look, usual: Composition): PictureRoom<Composition> {
  return { underScrim: () => pictureBelow(look, usual), besideText: () => pictureBeside(look, usual) }
}

/** Text keeps to the start of a wide card, and to the foot of others. */
function pictureBelow({ size, hasLogo, hasDomain, hasByline }: Look, usual: Composition) {
  const { widthPx, heightPx, shape } = size
  const { content, ruleY, logo, unit } = usual
  if (shape === 'wide') {
    const textWidth = Math.round(content.width * 0.6)
    const foot = { ...content, y: ruleY - 8 * unit, height: content.y + content.height - ruleY + 8 * unit }
    const zones: readonly ScrimZone[] = [
      { textArea: { ...content, width: textWidth }, fadesTo: 'end', fadePx: widthPx * 0.36 },
      ...(hasDomain || hasByline
        ? [{ textArea: foot, fadesTo: 'top', fadePx: heightPx * 0.2 } as const]
        : []),
    ]
    return { composition: { ...usual, textWidth }, zones }
  }
  const textTop = Math.round(heightPx * (shape === 'tall' ? 0.46 : 0.36))
  const text = { ...content, y: textTop, height: content.y + content.height - textTop }
  const zones: readonly ScrimZone[] = [
    ...(hasLogo || hasDomain
      ? [{ textArea: { ...logo, width: content.width }, fadesTo: 'bottom', fadePx: 150 } as const]
      : []),
    { textArea: text, fadesTo: 'top', fadePx: heightPx * 0.24 },
  ]
  return { composition: { ...usual, textTop }, zones }
}

/** A moon beside the text of a wide card; above the text of others a sky, which leaves room for what stands at the head. */
function pictureBeside({ size, hasLogo, hasDomain }: Look, usual: Composition) {
  const { widthPx, heightPx, shape } = size
  const { content, logo, unit } = usual
  if (shape === 'wide') {
    const narrow = { ...content, width: Math.round(content.width * 0.6) }
    const x = Math.round(narrow.x + narrow.width + 36 * unit)
    const frame = { x, y: 0, width: widthPx - x, height: heightPx }
    const opening = ellipse(widthPx, heightPx / 2, frame.width, heightPx * 0.76, true)
    return { composition: { ...usual, content: narrow }, frame, opening }
  }
  const textTop = Math.round(heightPx * 0.48)
  const hasHead = hasLogo || hasDomain
  const y = hasHead ? Math.round(logo.y + logo.height + 28) : 0
  const frame = { x: 0, y, width: widthPx, height: textTop - 44 - y }
  // Without a head the curve is the horizon alone: the ellipse leaves the card at its upper corners.
  const radiusY = frame.height * (hasHead ? 0.5 : 0.6)
  const opening = ellipse(widthPx / 2, y + frame.height - radiusY, widthPx * 0.9, radiusY, true)
  return { composition: { ...usual, textTop }, frame, opening }
}

const wideSizes = [152, 136, 122, 109, 98, 88, 82, 76, 69, 62, 55, 48, 42]

/** One block in the middle, author and domain side by side below a rule. */
function wide({ widthPx, heightPx, unit }: CardSize): Composition {
  const [margin, top] = [Math.round(84 * unit), Math.round(76 * unit)]
  const width = widthPx - 2 * margin
  return {
    content: { x: margin, y: top, width, height: heightPx - top - Math.round(38 * unit) },
    layout: {
      title: {
        sizesPx: scaledSizes(wideSizes, unit),
        maxLines: 4,
        leading: 1.08,
        maxHeightPx: heightPx - 354 * unit,
      },
      subtitle: {
        sizesPx: scaledSizes([36, 32, 28], unit),
        maxLines: 2,
        leading: 1.38,
        maxWidthPx: Math.round(920 * unit),
      },
    },
    textBottom: heightPx - Math.round(158 * unit),
    ruleY: heightPx - Math.round(124 * unit),
    footerY: heightPx - Math.round(72 * unit),
    logo: { x: margin, y: top, width: width * 0.5, height: 74 * unit },
    logoGapPx: 26 * unit,
    unit,
  }
}

/** The domain at the head, the sky below it, and the text at the foot. */
function upright({ widthPx, heightPx, shape }: CardSize): Composition {
  const isTall = shape === 'tall'
  const [margin, unit] = [isTall ? 88 : 84, 1.25]
  const width = widthPx - 2 * margin
  return {
    content: { x: margin, y: margin - 12, width, height: heightPx - 2 * margin + 24 },
    layout: {
      title: {
        sizesPx: isTall ? sizeSteps(184, 54) : sizeSteps(164, 48),
        maxLines: isTall ? 8 : 6,
        leading: 1.07,
        maxHeightPx: heightPx * (isTall ? 0.56 : 0.52),
      },
      subtitle: {
        sizesPx: isTall ? [46, 42, 38, 34] : [42, 38, 34],
        maxLines: isTall ? 5 : 4,
        leading: 1.38,
        maxWidthPx: width,
      },
      anchor: 1,
    },
    textBottom: heightPx - margin - 142,
    ruleY: heightPx - margin - 92,
    footerY: heightPx - margin - 30,
    headY: margin + 16,
    logo: { x: margin, y: margin - 12, width: width * 0.5, height: 92 },
    logoGapPx: 44,
    unit,
  }
}

type Colors = Palette & {
  readonly discColor: Rgb
  readonly logoBackgrounds: readonly Rgb[]
}

function draw(
  texts: CardTexts,
  canvas: Canvas,
  composition: Composition,
  colors: Colors,
  logo: CardLogo | undefined,
): void {
  const { content, layout, ruleY, footerY, headY, unit } = composition
  const { x, width } = content
  const isWide = headY === undefined
  const hasFoot =
    texts.author !== undefined || texts.footer !== undefined || (isWide && texts.domain !== undefined)
  const head = drawHead(texts, canvas, composition, colors, logo)
  const bottom = hasFoot ? composition.textBottom : content.y + content.height - (isWide ? 38 * unit : 12)
  const top = Math.max(head.bottom, composition.textTop ?? 0)
  const textArea = { x, y: top, width: composition.textWidth ?? width, height: bottom - top }
  drawLayout(texts, canvas, textArea, layout, colors)
  if (hasFoot) canvas.shape(rectangle(0, 0, width, 1.5), x, ruleY, width, colors.ink, colors.ruleOpacity)
  const besidePx = isWide
    ? drawWideFoot(texts, canvas, composition, colors)
    : drawUprightFoot(texts, canvas, composition, colors, head.domainX)
  drawByline(texts, canvas, {
    x,
    centreY: footerY,
    maxWidthPx: width - besidePx,
    color: colors.ink,
    discColor: colors.discColor,
    unit,
  })
}

/** Draws the logo. Returns where the text may begin, and where the domain of an upright card begins beside the logo. */
function drawHead(
  texts: CardTexts,
  canvas: Canvas,
  { content, headY, logo: area, logoGapPx }: Composition,
  { logoBackgrounds: backgrounds, ink }: Colors,
  logo: CardLogo | undefined,
): { readonly bottom: number; readonly domainX: number } {
  if (logo === undefined) {
    const hasDomain = headY !== undefined && texts.domain !== undefined
    return { bottom: hasDomain ? headY + 60 : content.y, domainX: content.x }
  }
  const isWide = headY === undefined
  const sidePx = area.height * 0.84
  const anchor = isWide ? 0 : 0.5
  const drawn = canvas.logo(logo, { area, sidePx, align: 'start', anchor, backgrounds, ink })
  const heightPx = isWide ? drawn.height : area.height
  return { bottom: area.y + heightPx + logoGapPx, domainX: area.x + drawn.width + 40 }
}

/** Domain and footer line, beside the author where there is one. Returns the width that is theirs. */
function drawWideFoot(texts: CardTexts, canvas: Canvas, composition: Composition, colors: Colors): number {
  const { author, domain, footer } = texts
  const { content, footerY, unit } = composition
  const hasAuthor = author !== undefined
  const isStack = hasAuthor && domain !== undefined && footer !== undefined
  const roomPx = hasAuthor
    ? Math.min(560 * unit, content.width * 0.56)
    : footer === undefined
      ? content.width
      : content.width * 0.48
  const [abovePx, belowPx] = isStack ? [22 * unit, 14 * unit] : [0, 0]
  const place = { x: content.x, width: content.width, roomPx, unit }
  let besidePx = 0
  if (domain !== undefined) {
    const spot = { ...place, centreY: footerY - abovePx, atEnd: hasAuthor }
    besidePx = drawDomain(domain, canvas, spot, colors)
  }
  if (footer !== undefined) {
    const spot = { ...place, centreY: footerY + belowPx, atEnd: hasAuthor || domain !== undefined }
    besidePx = Math.max(besidePx, drawFooter(footer, canvas, spot, colors))
  }
  return hasAuthor ? besidePx : 0
}

/** The domain stands at the head, the footer line beside the author. Returns its width. */
function drawUprightFoot(
  { author, domain, footer }: CardTexts,
  canvas: Canvas,
  { content, footerY, headY = 0, logo, unit }: Composition,
  colors: Colors,
  domainX: number,
): number {
  if (domain !== undefined) {
    const hasLogo = domainX > content.x
    const roomPx = content.x + content.width - domainX
    const centreY = hasLogo ? logo.y + logo.height / 2 : headY
    drawDomain(domain, canvas, { ...content, roomPx, unit, centreY, atEnd: hasLogo }, colors)
  }
  if (footer === undefined) return 0
  const hasAuthor = author !== undefined
  const roomPx = hasAuthor ? content.width * 0.5 : content.width
  const footerPx = drawFooter(
    footer,
    canvas,
    { ...content, roomPx, unit, centreY: footerY, atEnd: hasAuthor },
    colors,
  )
  return hasAuthor ? footerPx : 0
}

const globe =
  ring(12, 12, 10.5, 1.8) +
  ellipse(12, 12, 5.3, 11) +
  ellipse(12, 12, 3.5, 9.9, true) +
  rectangle(1.5, 11.1, 21, 1.8)

/** Where a label stands: at the start of a line or at its end. */
interface Spot {
  readonly x: number
  readonly width: number
  /** Its greatest width. */
  readonly roomPx: number
  readonly centreY: number
  readonly atEnd: boolean
  readonly unit: number
}

/** The domain with a globe. Returns its width with a gap. */
function drawDomain(domain: string, canvas: Canvas, spot: Spot, { paleInk }: Colors): number {
  const { x, width, roomPx, centreY, atEnd, unit } = spot
  const iconPx = 36 * unit
  const fitted = canvas.line('domain', domain, Math.round(26 * unit), roomPx - iconPx)
  const left = atEnd ? x + width - fitted.widthPx : x + iconPx
  canvas.shape(globe, left - iconPx, centreY - 12 * unit, 24 * unit, paleInk, undefined, unit)
  canvas.label('domain', fitted, left, centreY, fitted.widthPx, paleInk)
  return fitted.widthPx + iconPx + 40 * unit
}

/** Returns the width of the footer line with a gap. */
function drawFooter(footer: string, canvas: Canvas, spot: Spot, { paleInk }: Colors): number {
  const { x, width, roomPx, centreY, atEnd, unit } = spot
  const fitted = footerLine(canvas, footer, Math.round(24 * unit), roomPx)
  const left = atEnd ? x + width - fitted.widthPx : x
  canvas.label('footer', fitted, left, centreY, fitted.widthPx, paleInk)
  return fitted.widthPx + 40 * unit
}

/** Placed on the usual card of each shape. */
function glowsOf(accent: Accent, scheme: Scheme, size: CardSize, power: number): readonly Glow[] {
  const { main, second, third } = accent
  const [l1, l2, l3] = palettes[scheme].lights
  const lights = { main: shade(main, l1), second: shade(second, l2), third: shade(third, l3) }
  const from = size.shape === 'wide' ? cardSizes.og : cardSizes.square
  const glows: readonly Glow[] =
    size.shape === 'wide'
      ? [
          { cx: -30, cy: 700, rx: 640, ry: 250, angle: -14, color: lights.third, peak: 0.5 * power },
          { cx: 1270, cy: 580, rx: 760, ry: 330, angle: -38, color: lights.second, peak: 0.8 * power },
          { cx: 1020, cy: -90, rx: 860, ry: 400, angle: 26, color: lights.main, peak: 0.92 * power },
        ]
      : [
          { cx: 1120, cy: 1090, rx: 560, ry: 300, angle: -24, color: lights.third, peak: 0.5 * power },
          { cx: -80, cy: 210, rx: 620, ry: 420, angle: -32, color: lights.second, peak: 0.8 * power },
          { cx: 840, cy: -70, rx: 900, ry: 560, angle: 18, color: lights.main, peak: 0.92 * power },
        ]
  return glows.map((glow) => stretched(glow, from, size))
}
