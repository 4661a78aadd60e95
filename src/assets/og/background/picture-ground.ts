import { fromOklch, type Oklch, type Rgb, toOklch } from '../../../lib/color.ts'
import type { BrandPicture } from '../brand/brand-images.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import { labelsInFoot } from '../engine/compile-layout.ts'
import type { ThemeContract } from '../engine/compile-theme.ts'
import type { Boxes, PictureGround } from '../engine/contracts.ts'
import { moon } from '../patterns/glows.ts'
import { type Area, filled, rectangle, wholeCard } from '../shapes.ts'
import { type Look, type Scheme, type Shape, schemeOf } from '../theme.ts'
import { coverPicture, greysThrough, inksOnPicture, scrim, scrimOpacity } from './scrim.ts'

interface Pictured {
  readonly contract: ThemeContract
  readonly look: Look
  readonly colors: FileColors
  readonly usual: Boxes
  readonly picture: BrandPicture
}

/**
 * The layouts of a picture: to all edges with the texts at the foot, or about the middle; above the texts; beside a smaller card of
 * the theme, or above it; behind the theme's pane; and where the theme has a drawing.
 */
export const pictureGrounds = { cover, middle, top, sheet, behind, inPlace }

export type PictureLayoutName = keyof typeof pictureGrounds

export function layoutOf(contract: ThemeContract, look: Look, colors: FileColors) {
  const { size, align, brandBackground } = look
  const { shape } = size
  const { picture, layout } = brandBackground ?? {}
  if (picture === undefined) return undefined
  const isMiddle = shape === 'wide' && align === 'center'
  if (contract.pane !== undefined) return isMiddle || layout === 'cover' ? 'behind' : 'sheet'
  if (isMiddle) return layout === 'top' ? 'top' : 'middle'
  if (layout === 'cover' || layout === 'top') return layout
  if (layout === undefined && contract.picture.cover && suitsScheme(picture, schemeOf(colors))) return 'cover'
  if (contract.inPlace !== undefined && (layout === undefined || shape === 'wide')) return 'inPlace'
  return contract.picture.share?.[shape] === undefined ? 'top' : 'sheet'
}

/** A scrim is as light or dark as its picture, where nobody chose a scheme or a colour. */
export function inSchemeOfPicture(look: Look, layout: PictureLayoutName | undefined): Look {
  const { picture, color } = look.brandBackground ?? {}
  const hasScrim = layout === 'cover' || layout === 'middle'
  if (!hasScrim || picture === undefined || color !== undefined || look.scheme !== undefined) return look
  return { ...look, scheme: toneOf(picture).l > 0.65 ? 'light' : 'dark' }
}

/** Where text may begin, as a share of the height. */
const textTops: Readonly<Record<'cover' | 'top', Readonly<Record<Shape, number>>>> = {
  cover: { wide: 0.38, square: 0.5, tall: 0.54 },
  top: { wide: 0.4, square: 0.5, tall: 0.52 },
}

function cover(pictured: Pictured): PictureGround {
  const { look, usual } = pictured
  const y = Math.round(look.size.heightPx * textTops.cover[look.size.shape])
  return underScrim(pictured, atFoot(usual, look, y), y)
}

function middle(pictured: Pictured): PictureGround {
  return underScrim(pictured, pictured.usual, 0)
}

function wholeOf({ look: { size } }: Pictured): Area {
  return { x: 0, y: 0, width: size.widthPx, height: size.heightPx }
}

function covering({ picture, look: { size, direction } }: Pictured, area: Area, shown?: Area) {
  return coverPicture(picture, area, size.widthPx, direction, shown)
}

/** The picture on the whole card, and a scrim from `y` down, that fades out above. */
function underScrim(pictured: Pictured, boxes: Boxes, y: number): PictureGround {
  const { look, colors } = pictured
  const { widthPx, heightPx } = look.size
  const color = colorBeside(pictured)
  const whole = wholeOf(pictured)
  const { picture, luminanceIn } = covering(pictured, whole, y === 0 ? whole : { ...whole, height: y })
  const inks = inksOnPicture(colors)
  const { x = 0, widthPx: width = widthPx } = y === 0 ? boxes.text : {}
  const opacity = scrimOpacity(luminanceIn({ x, y, width, height: heightPx - y }), color, inks)
  const fadeY = Math.max(0, Math.round(y - heightPx * 0.26))
  return {
    color,
    ...scrim(color, look.size, fadeY, y, opacity),
    picture,
    boxes,
    inks,
    // Its hue counts where the scrim is thick.
    logoBackgrounds: [color, ...greysThrough(luminanceIn(boxes.logo.area), color, opacity)],
  }
}

function top(pictured: Pictured): PictureGround {
  const { contract, look, colors, usual } = pictured
  const { size } = look
  const { widthPx, heightPx, shape, unit } = size
  const y = Math.round(heightPx * textTops.top[shape])
  const frame = { x: 0, y: 0, width: widthPx, height: y - Math.round((shape === 'wide' ? 36 : 60) * unit) }
  const below = rectangle(0, frame.height, widthPx, heightPx - frame.height)
  const d = contract.picture.opening ? wholeCard(size) + moon(frame, size) : below
  const { picture } = covering(pictured, frame)
  return { ...plain(colors.background, d), picture, boxes: atFoot(usual, look, y) }
}

/** One colour around a picture. */
function plain(color: Rgb, d: string) {
  return { color, body: filled(color, d), logoBackgrounds: [color] }
}

function partsOf({ contract, look: { size } }: Pictured) {
  const { widthPx, heightPx, shape } = size
  const share = contract.picture.share?.[shape] ?? 1
  const isWide = shape === 'wide'
  const part = isWide
    ? { ...size, widthPx: Math.round(widthPx * share) }
    : { ...size, heightPx: Math.round(heightPx * share) }
  const y = heightPx - part.heightPx
  const frame = isWide
    ? { x: part.widthPx, y: 0, width: widthPx - part.widthPx, height: heightPx }
    : { x: 0, y: 0, width: widthPx, height: y }
  return { part, y, frame }
}

function sheet(pictured: Pictured): PictureGround {
  const { contract, look, colors } = pictured
  const { part, y, frame } = partsOf(pictured)
  const drawn =
    contract.picture.opening === undefined
      ? contract.background({ ...look, size: part }, colors, contract.boxes(part, look))
      : plain(colorBeside(pictured), wholeCard(look.size) + moon(frame, look.size))
  const body = y === 0 ? drawn.body : `<g transform="translate(0 ${y})">${drawn.body}</g>`
  return { ...drawn, body, picture: covering(pictured, frame).picture, boxes: contract.boxes(part, look, y) }
}

/** The pane on the part that a sheet would have, on a centred wide card where it usually is. */
function behind(pictured: Pictured): PictureGround {
  const { contract, look, colors, usual } = pictured
  const { size, align } = look
  const whole = wholeOf(pictured)
  const { part, y, frame } = partsOf(pictured)
  const isMiddle = size.shape === 'wide' && align === 'center'
  const boxes = isMiddle ? usual : contract.boxes(part, look, y)
  return {
    color: colors.background,
    body: contract.pane?.(boxes, size, colors) ?? '',
    picture: covering(pictured, whole, isMiddle ? whole : frame).picture,
    boxes,
    logoBackgrounds: contract.background(look, colors, usual).logoBackgrounds,
  }
}

function inPlace(pictured: Pictured): PictureGround {
  const { contract, look, colors, usual } = pictured
  const area = contract.inPlace?.(look) ?? wholeOf(pictured)
  const { x, y, width, height } = area
  const opening = `M${x} ${y}v${height}h${width}v${-height}z`
  const { picture } = covering(pictured, area)
  return { ...plain(colors.background, wholeCard(look.size) + opening), picture, boxes: usual }
}

function toneOf({ grid: { cells } }: BrandPicture): Oklch {
  const mean = (channel: keyof Rgb) => cells.reduce((sum, { mean }) => sum + mean[channel], 0) / cells.length
  return toOklch({ r: mean('r'), g: mean('g'), b: mean('b') })
}

/** A light scrim on a dark picture looks like milk, and a dark one on a bright picture like soot. */
function suitsScheme(picture: BrandPicture, scheme: Scheme): boolean {
  const { l } = toneOf(picture)
  return scheme === 'light' ? l >= 0.72 : l <= 0.62
}

/** The background beside a picture, and its scrim, with a touch of its hue, unless the brand has chosen one. */
function colorBeside({ picture, look, colors: { background } }: Pictured): Rgb {
  if (look.brandBackground?.color !== undefined) return background
  const { c, h } = toneOf(picture)
  const { l } = toOklch(background)
  return fromOklch({ l, c: Math.min(c * 0.5, l > 0.5 ? 0.022 : 0.04), h })
}

/** The boxes of a theme with all texts at the foot of the card: below `y` the block, and below that one row of all labels. */
function atFoot(usual: Boxes, { size, hasLogo }: Look, y: number): Boxes {
  const { widthPx, heightPx, shape, unit: cardUnit } = size
  const { content, unit, text, title, subtitle, foot } = usual
  const isWide = shape === 'wide'
  const x = content.x
  const width = widthPx - 2 * x
  const linePx = Math.max(foot.linePx, 44 * unit)
  // In the middle labels may stand below each other, and the logo is above them.
  const isCentred = foot.align === 'center'
  const middlePx = isCentred && !foot.isJoined ? linePx / 2 : 0
  const centreY = heightPx - Math.round((isWide ? 74 * cardUnit : 104) + middlePx)
  const ruleY = centreY - Math.round(46 * unit)
  const labelsY = (foot.rule ? ruleY : centreY) - Math.round((foot.rule ? 26 : 54) * unit + middlePx)
  const logoPx = Math.round(54 * unit)
  const logoY = isCentred ? labelsY - logoPx : centreY - logoPx / 2
  const bottom = isCentred && hasLogo ? logoY - Math.round(28 * unit) : labelsY
  return {
    ...usual,
    content: { x, y, width, height: heightPx - y - Math.round(30 * cardUnit) },
    text: {
      top: y,
      bareTop: y,
      bottom,
      bareBottom: isCentred && hasLogo ? bottom : heightPx - Math.round(isWide ? 68 * cardUnit : 84),
      anchor: 1,
      align: text.align,
    },
    title: { ...title, maxHeightPx: bottom - y, wholePxMin: Math.min(title.wholePxMin ?? 44, 44) * cardUnit },
    subtitle: { ...subtitle, maxWidthPx: Math.max(subtitle.maxWidthPx, width * 0.8) },
    ...labelsInFoot(usual),
    head: { centreY: y, linePx: 0, align: 'start' },
    foot: {
      centreY,
      linePx,
      align: foot.align,
      ...(foot.isJoined && { isJoined: true }),
      ...(foot.rule && { rule: { ...foot.rule, y: ruleY } }),
    },
    logo: {
      row: isCentred ? undefined : 'foot',
      area: {
        x: isCentred ? x : x + width * 0.5,
        y: logoY,
        width: isCentred ? width : width * 0.5,
        height: logoPx,
      },
      sidePx: logoPx * 0.9,
      align: isCentred ? 'center' : 'end',
    },
  }
}
