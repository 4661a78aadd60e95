import type { BrandPicture } from '../brand/brand-images.ts'
import type { Shape } from '../card-sizes.ts'
import type { Boxes, LabelBox, PictureGround } from '../engine/theme-contract.ts'
import { filled, rectangle } from '../shapes.ts'
import type { CardColors, Look } from '../theme.ts'
import { coverPicture } from './cover-picture.ts'
import { coveredGround, pictureUnderScrim, schemeOf } from './picture-ground.ts'

/** Layouts of a picture that are the same in all themes. */
export const pictureLayoutsOfAll = { cover, top, middle: coveredGround }

type LayoutOfAll = keyof typeof pictureLayoutsOfAll

/** The layout that is the same in all themes; undefined for one of the theme's own. Beside each other is for wide cards. */
export function layoutOfAll({ size, align, brandBackground }: Look): LayoutOfAll | undefined {
  if (brandBackground?.picture === undefined) return undefined
  const { layout } = brandBackground
  if (size.shape !== 'wide') return layout === 'beside' ? 'top' : layout
  if (align === 'center') return layout === 'top' ? layout : 'middle'
  return layout === 'beside' ? undefined : layout
}

/** A scrim is as light or dark as its picture, where nobody chose a scheme or a colour. */
export function inSchemeOfPicture(look: Look, layout: LayoutOfAll): Look {
  const { picture, color } = look.brandBackground ?? {}
  if (layout === 'top' || picture === undefined || color !== undefined || look.scheme !== undefined)
    return look
  return { ...look, scheme: schemeOf(picture) }
}

/** Where text may begin, as a share of the height. */
const textTops: Readonly<Record<'cover' | 'top', Readonly<Record<Shape, number>>>> = {
  cover: { wide: 0.38, square: 0.5, tall: 0.54 },
  top: { wide: 0.4, square: 0.5, tall: 0.52 },
}

/** The picture to all edges, the texts at the foot on a scrim. */
function cover(picture: BrandPicture, look: Look, colors: CardColors, usual: Boxes): PictureGround {
  const { size } = look
  const { widthPx, heightPx, shape } = size
  const y = Math.round(heightPx * textTops.cover[shape])
  const boxes = atFoot(usual, look, y)
  const textArea = { x: 0, y, width: widthPx, height: heightPx - y }
  return pictureUnderScrim(picture, look, colors, {
    boxes,
    zones: [{ textArea, fadesTo: 'top', fadePx: heightPx * 0.26 }],
    shown: { x: 0, y: 0, width: widthPx, height: y },
  })
}

/** The picture to the upper edges, the texts below it. */
function top(picture: BrandPicture, look: Look, colors: CardColors, usual: Boxes): PictureGround {
  const { size, direction } = look
  const { widthPx, heightPx, shape, unit } = size
  const y = Math.round(heightPx * textTops.top[shape])
  const frame = { x: 0, y: 0, width: widthPx, height: y - Math.round((shape === 'wide' ? 36 : 60) * unit) }
  const { background: color } = colors
  return {
    color,
    body: filled(color, rectangle(0, frame.height, widthPx, heightPx - frame.height)),
    picture: coverPicture(picture, frame, widthPx, direction).picture,
    boxes: atFoot(usual, look, y),
    logoBackgrounds: [color],
  }
}

/** The boxes of a theme with all texts at the foot of the card: below `y` the block, and below that one row of all labels. */
export function atFoot(usual: Boxes, { size, hasLogo }: Look, y: number): Boxes {
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
  const inFoot = (box: LabelBox): LabelBox => ({ ...box, row: 'foot' })
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
    byline: inFoot(usual.byline),
    domain: inFoot(usual.domain),
    footer: inFoot(usual.footer),
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
