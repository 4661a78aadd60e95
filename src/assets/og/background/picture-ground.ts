import { fromOklch, type Oklch, type Rgb, toOklch } from '../../../lib/color.ts'
import type { BrandPicture } from '../brand/brand-images.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import type { ThemeDrawing } from '../engine/compile-drawing.ts'
import { labelsInFoot } from '../engine/compile-layout.ts'
import type { Boxes, PictureGround } from '../engine/contracts.ts'
import { moon } from '../patterns/glows.ts'
import { type Area, filled, rectangle, wholeCard } from '../shapes.ts'
import { type Look, type Scheme, type Shape, schemeOf } from '../theme.ts'
import { coverPicture, greysThrough, inksOnPicture, scrim, scrimOpacity } from './scrim.ts'

export type PictureLayoutName = 'cover' | 'middle' | 'top' | 'sheet' | 'behind' | 'inPlace'

export function layoutOf(
  drawing: ThemeDrawing,
  look: Look,
  colors: FileColors,
): PictureLayoutName | undefined {
  const { size, align, brandBackground } = look
  const { shape } = size
  const { picture, layout } = brandBackground ?? {}
  if (picture === undefined) return undefined
  const isMiddle = shape === 'wide' && align === 'center'
  if (drawing.pane !== undefined) return isMiddle || layout === 'cover' ? 'behind' : 'sheet'
  if (isMiddle) return layout === 'top' ? 'top' : 'middle'
  if (layout === 'cover' || layout === 'top') return layout
  if (layout === undefined && drawing.picture.cover && suitsScheme(picture, schemeOf(colors))) return 'cover'
  if (drawing.inPlace !== undefined && (layout === undefined || shape === 'wide')) return 'inPlace'
  return drawing.picture.share?.[shape] === undefined ? 'top' : 'sheet'
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

/**
 * The background with a picture: to all edges with the texts at the foot, or about the middle; above the texts; beside a smaller card
 * of the theme, or above it; behind the theme's pane; and where the theme has a drawing.
 */
export function pictureGround(
  layout: PictureLayoutName,
  picture: BrandPicture,
  drawing: ThemeDrawing,
  look: Look,
  colors: FileColors,
  usual: Boxes,
): PictureGround {
  const { size, align, direction } = look
  const { widthPx, heightPx, shape, unit } = size
  const isWide = shape === 'wide'
  const isMiddle = isWide && align === 'center'
  const whole = { x: 0, y: 0, width: widthPx, height: heightPx }
  const { opening, share } = drawing.picture
  switch (layout) {
    case 'cover': {
      const y = Math.round(heightPx * textTops.cover[shape])
      return underScrim(atFoot(usual, look, y), y)
    }
    case 'middle':
      return underScrim(usual, 0)
    case 'top': {
      const y = Math.round(heightPx * textTops.top[shape])
      const frame = { ...whole, height: y - Math.round((isWide ? 36 : 60) * unit) }
      const below = rectangle(0, frame.height, widthPx, heightPx - frame.height)
      const d = opening ? wholeCard(size) + moon(frame, size) : below
      return {
        ...plain(colors.background, d),
        picture: covering(frame).picture,
        boxes: atFoot(usual, look, y),
      }
    }
    case 'sheet': {
      const { part, y, frame } = parts()
      const drawn = opening
        ? plain(colorBeside(picture, look, colors), wholeCard(size) + moon(frame, size))
        : drawing.background({ ...look, size: part }, colors, drawing.boxes(part, look))
      const body = y === 0 ? drawn.body : `<g transform="translate(0 ${y})">${drawn.body}</g>`
      return { ...drawn, body, picture: covering(frame).picture, boxes: drawing.boxes(part, look, y) }
    }
    case 'behind': {
      // The pane is on the part that a sheet would have, on a centred wide card where it usually is.
      const { part, y, frame } = parts()
      const boxes = isMiddle ? usual : drawing.boxes(part, look, y)
      return {
        color: colors.background,
        body: drawing.pane?.(boxes, size, colors) ?? '',
        picture: covering(whole, isMiddle ? whole : frame).picture,
        boxes,
        logoBackgrounds: drawing.background(look, colors, usual).logoBackgrounds,
      }
    }
    case 'inPlace': {
      const area = drawing.inPlace?.(look) ?? whole
      const { x, y, width, height } = area
      const d = `${wholeCard(size)}M${x} ${y}v${height}h${width}v${-height}z`
      return { ...plain(colors.background, d), picture: covering(area).picture, boxes: usual }
    }
  }

  function covering(area: Area, shown?: Area) {
    return coverPicture(picture, area, widthPx, direction, shown)
  }

  /** The picture on the whole card, and a scrim from `y` down, that fades out above. */
  function underScrim(boxes: Boxes, y: number): PictureGround {
    const color = colorBeside(picture, look, colors)
    const { picture: placed, luminanceIn } = covering(whole, y === 0 ? whole : { ...whole, height: y })
    const inks = inksOnPicture(colors)
    const { x = 0, widthPx: width = widthPx } = y === 0 ? boxes.text : {}
    const opacity = scrimOpacity(luminanceIn({ x, y, width, height: heightPx - y }), color, inks)
    const fadeY = Math.max(0, Math.round(y - heightPx * 0.26))
    // Its hue counts where the scrim is thick.
    const logoBackgrounds = [color, ...greysThrough(luminanceIn(boxes.logo.area), color, opacity)]
    const body = scrim(color, size, fadeY, y, opacity)
    return { color, ...body, picture: placed, boxes, inks, logoBackgrounds }
  }

  /** The smaller card and the frame of the picture beside it, or above it from `y` up. */
  function parts() {
    const sharePx = Math.round((isWide ? widthPx : heightPx) * (share?.[shape] ?? 1))
    if (isWide) {
      const frame = { ...whole, x: sharePx, width: widthPx - sharePx }
      return { part: { ...size, widthPx: sharePx }, y: 0, frame }
    }
    const y = heightPx - sharePx
    return { part: { ...size, heightPx: sharePx }, y, frame: { ...whole, height: y } }
  }
}

/** One colour around a picture. */
function plain(color: Rgb, d: string) {
  return { color, body: filled(color, d), logoBackgrounds: [color] }
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
function colorBeside(picture: BrandPicture, look: Look, { background }: FileColors): Rgb {
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
  const sides = { x, widthPx: width }
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
      ...sides,
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
    head: { ...sides, centreY: y, linePx: 0, align: 'start' },
    foot: {
      ...sides,
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
