import { toHex } from '../../../lib/color.ts'
import { groundWithPicture, inSchemeOfPicture, layoutOf } from '../background/picture-ground.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import type { Canvas } from '../canvas.ts'
import type { CardSize } from '../card-sizes.ts'
import type { PlacedLogo } from '../logo/place-logo.ts'
import { rectangle } from '../shapes.ts'
import { drawingOf } from '../templates.ts'
import type { CardColors, CardTexts, Theme } from '../theme.ts'
import { centred, forCode } from './boxes.ts'
import { drawRow, planRow, type Row, type RowRoom } from './label-row.ts'
import { noOrnament } from './ornaments.ts'
import type { Stage } from './template-contract.ts'
import { drawTextBlock } from './text-block.ts'
import type { Boxes, Ground, PictureGround, RowName, ThemeContract, TilePlace } from './theme-contract.ts'

/** A theme that the engine draws as its contract says. */
export function defineTheme<Colors extends CardColors>(contract: ThemeContract<Colors>): Theme {
  const { styles, patterns } = contract
  return {
    styles,
    patterns,
    prepare(wanted) {
      const { size, hasLogo, align, brandBackground } = wanted
      const isCentred = align === 'center'
      const layout = layoutOf(contract, wanted, contract.colors(wanted))
      const look = inSchemeOfPicture(wanted, layout)
      const own = contract.boxes(size, look)
      const usual = isCentred ? centred(own, size, hasLogo) : own
      const colors = contract.colors(look)
      const picture = brandBackground?.picture
      const ground: Ground & Partial<PictureGround> =
        picture === undefined || layout === undefined
          ? contract.background(look, colors, usual)
          : groundWithPicture(layout, { contract, look, colors, usual, picture })
      const { inks, logoBackgrounds, inkFoot } = ground
      const placed =
        isCentred && ground.boxes ? centred(ground.boxes, size, hasLogo) : (ground.boxes ?? usual)
      const boxes = wanted.textArea === 'code' && !isCentred ? forCode(placed, size, hasLogo) : placed
      const drawnColors: CardColors = inks === undefined ? colors : onPicture(colors, inks)
      return {
        background: {
          color: toHex(ground.color),
          body: ground.body,
          ...(ground.defs !== undefined && { defs: ground.defs }),
          ...(ground.picture && { picture: ground.picture }),
        },
        content: boxes.content,
        draw(texts, canvas, logo) {
          if (layout === undefined) contract.ornaments?.(look, colors, texts, canvas)
          draw(
            texts,
            canvas,
            boxes,
            size,
            { ...drawnColors, logoBackgrounds, inkFoot },
            logo,
            logo && (layout === undefined || layout === 'middle' || layout === 'inPlace')
              ? contract.tile?.(logo, colors, look)
              : undefined,
          )
        },
      }
    },
  }
}

/** Texts on a picture have one of two inks, because the scrim is made for those. */
function onPicture(colors: CardColors, inks: NonNullable<PictureGround['inks']>): CardColors {
  const { ink, paleInk } = inks
  return { ...colors, ink, paleInk, eyebrow: paleInk, author: ink, domain: paleInk, footer: paleInk }
}

type DrawnColors = CardColors & Pick<Ground, 'logoBackgrounds'>

function draw(
  texts: CardTexts,
  canvas: Canvas,
  usual: Boxes,
  size: CardSize,
  colors: DrawnColors,
  logo: CardLogo | undefined,
  tile: TilePlace | undefined,
): void {
  const isInPlace = texts.footerInPlaceOf === 'domain'
  const boxes = isInPlace ? { ...usual, footer: { ...usual.domain, ornament: noOrnament } } : usual
  const { content, text } = boxes
  function plan(name: RowName, room: RowRoom = { startPx: 0, endPx: 0 }) {
    return planRow(texts, canvas, boxes, name, room)
  }
  const isApart = boxes.logo.row === undefined
  const apart = isApart ? { head: plan('head'), foot: plan('foot') } : undefined
  const downPx = apart === undefined ? 0 : besideRows(boxes, apart.head, apart.foot)
  const drawn = logo && drawLogo(logo, canvas, boxes, colors, tile, downPx)
  const rooms = { head: roomBeside(boxes, 'head', drawn), foot: roomBeside(boxes, 'foot', drawn) }
  const { head, foot } = apart ?? { head: plan('head', rooms.head), foot: plan('foot', rooms.foot) }
  const hasLogoIn = (name: RowName) => drawn !== undefined && boxes.logo.row === name
  const [hasHead, hasFoot] = [
    head.lines.length > 0 || hasLogoIn('head'),
    foot.lines.length > 0 || hasLogoIn('foot'),
  ]
  const headPx = (hasHead ? text.top : text.bareTop) + head.extraPx + head.highPx
  const top = Math.max(headPx, belowLogo(boxes, drawn) + downPx)
  const bottom = (hasFoot ? text.bottom : text.bareBottom) - foot.extraPx - foot.highPx
  const area = { x: text.x ?? content.x, y: top, width: text.widthPx ?? content.width, height: bottom - top }
  const stage = { texts, canvas, area, boxes, size, colors }
  const setTexts: Stage['setTexts'] = (change) => drawTextBlock({ ...stage, ...change })
  const fill = drawingOf(texts.template?.name)
  if (fill === undefined) setTexts()
  else fill({ ...stage, setTexts })
  if (hasHead) drawRule(canvas, boxes, 'head', head.extraPx, colors)
  if (hasFoot) drawRule(canvas, boxes, 'foot', -foot.extraPx, colors)
  drawRow(head, texts, canvas, boxes, colors, 'head', rooms.head)
  drawRow(foot, texts, canvas, boxes, colors, 'foot', rooms.foot)
}

/** The distance that a logo of its own goes down for a head of several lines, or up for such a foot. */
function besideRows({ logo: { area, gapPx }, text }: Boxes, head: Row, foot: Row): number {
  if (gapPx !== undefined) return head.extraPx
  return area.y >= text.bottom ? -foot.extraPx - foot.highPx : 0
}

function drawLogo(
  logo: CardLogo,
  canvas: Canvas,
  { logo: { area, sidePx, align, anchor = 0.5 } }: Boxes,
  colors: DrawnColors,
  tile: TilePlace | undefined,
  downPx: number,
): PlacedLogo['area'] {
  const usual = {
    area: { ...area, y: area.y + downPx },
    sidePx,
    align,
    anchor,
    backgrounds: colors.logoBackgrounds,
    ink: colors.ink,
  }
  const size = canvas.logo(logo, { ...usual, ...tile })
  return { ...area, ...size }
}

function belowLogo(
  { logo: { area, anchor = 0.5, gapPx } }: Boxes,
  drawn: PlacedLogo['area'] | undefined,
): number {
  if (drawn === undefined || gapPx === undefined) return 0
  return area.y + (anchor === 0 ? drawn.height : area.height) + gapPx
}

/** A logo that shares a row takes its width and a gap. */
function roomBeside({ logo, unit }: Boxes, name: RowName, drawn: PlacedLogo['area'] | undefined): RowRoom {
  if (drawn === undefined || logo.row !== name) return { startPx: 0, endPx: 0 }
  const takenPx = drawn.width + Math.round(40 * unit)
  const centreY = logo.area.y + logo.area.height / 2
  return logo.align === 'start'
    ? { startPx: takenPx, endPx: 0, centreY }
    : { startPx: 0, endPx: takenPx, centreY }
}

function drawRule(canvas: Canvas, boxes: Boxes, name: RowName, shiftPx: number, colors: CardColors): void {
  const { rule } = boxes[name]
  if (rule === undefined) return
  const { x, width } = boxes.content
  canvas.shape(rectangle(0, 0, width, rule.px), x, rule.y + shiftPx, width, colors.rule, colors.ruleOpacity)
}
