import type { TextStyle } from '../../../text/types.ts'
import { inSchemeOfPicture, layoutOf, pictureGround } from '../background/picture-ground.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import type { Canvas, ThemeStyles } from '../canvas.ts'
import type { LogoPlace, PlacedLogo } from '../logo/place-logo.ts'
import { rectangle } from '../shapes.ts'
import { drawingOf as templateDrawingOf } from '../templates.ts'
import type { CardTexts, Look } from '../theme.ts'
import { colorsOf } from './compile-colors.ts'
import { drawingOf } from './compile-drawing.ts'
import { centred, forCode } from './compile-layout.ts'
import type { Boxes, CardContext, Ground, PictureGround, RowName } from './contracts.ts'
import { drawRow, planRow, type RowRoom } from './label-row.ts'
import { noOrnament } from './ornaments.ts'
import { readableColors } from './readable-colors.ts'
import { drawTextBlock } from './text-block.ts'
import { type Font, type ThemeFile, usualLook } from './theme-file.ts'

export type Theme = ReturnType<typeof themeOf>

/** The theme of a file. In those of others the colours of texts are moved until they can be read. */
export function themeOf(file: ThemeFile, isOurs = false) {
  const drawing = drawingOf(file)
  const colorsIn = isOurs ? colorsOf : readableColors
  return {
    styles: stylesOf(file.fonts),
    patterns: drawing.patterns,
    /** Everything that does not depend on the texts, for one look; the caller caches it. */
    prepare(wanted: Look) {
      const { size, hasLogo, align, brandBackground } = wanted
      const isCentred = align === 'center'
      const layout = layoutOf(drawing, wanted, colorsIn(file, wanted))
      const look = inSchemeOfPicture(wanted, layout)
      const own = drawing.boxes(size, look)
      const usual = isCentred ? centred(own, size, hasLogo) : own
      const colors = colorsIn(file, look)
      const picture = brandBackground?.picture
      const ground: Ground & Partial<PictureGround> =
        picture === undefined || layout === undefined
          ? drawing.background(look, colors, usual)
          : pictureGround(layout, picture, drawing, look, colors, usual)
      const placed =
        isCentred && ground.boxes ? centred(ground.boxes, size, hasLogo) : (ground.boxes ?? usual)
      const boxes = wanted.textArea === 'code' && !isCentred ? forCode(placed, size, hasLogo) : placed
      const { logoBackgrounds, inkFoot, inks = colors } = ground
      const { ink, paleInk } = inks
      // Texts on a picture have one of two inks, because the scrim is made for those.
      const onPicture = { ink, paleInk, eyebrow: paleInk, author: ink, domain: paleInk, footer: paleInk }
      const drawnColors = { ...colors, ...(ground.inks && onPicture), inkFoot }
      const hasTile = layout === undefined || layout === 'middle' || layout === 'inPlace'
      return {
        ground,
        /** The part of the card for text: within its margins, without the drawing beside it. */
        content: boxes.content,
        draw(texts: CardTexts, canvas: Canvas, logo?: CardLogo): void {
          if (layout === undefined) drawing.ornaments(look, colors, texts, canvas)
          const card = { texts, canvas, boxes, size, colors: drawnColors }
          const tile = logo && hasTile ? drawing.tile?.(logo, colors, look) : undefined
          draw(card, logo, { backgrounds: logoBackgrounds, ...tile })
        },
      }
    },
  }
}

function stylesOf(fonts: ThemeFile['fonts']): ThemeStyles {
  const styles = Object.entries<Font>({ ...usualLook.fonts, ...fonts }).map(([role, font]) => {
    const { family, weight = usualLook.weights[role] ?? 400, italic, spacing } = font
    const style: TextStyle = {
      family: family === 'brand' ? 'sans' : family === 'serif' && italic ? 'serif-italic' : family,
      weight,
      ...(spacing !== undefined && { trackingUnits: Math.round(1000 * spacing) }),
    }
    return [role, style]
  })
  return Object.fromEntries(styles)
}

type OwnPlace = Partial<LogoPlace> & Pick<LogoPlace, 'backgrounds'>

function draw(given: CardContext, logo: CardLogo | undefined, place: OwnPlace): void {
  const { texts, boxes: usual } = given
  const isInPlace = texts.footerInPlaceOf === 'domain'
  const boxes = isInPlace ? { ...usual, footer: { ...usual.domain, ornament: noOrnament } } : usual
  const card = { ...given, boxes }
  const { text } = boxes
  function plan(name: RowName, room: RowRoom = { startPx: 0, endPx: 0 }) {
    return planRow(card, name, room)
  }
  const isApart = boxes.logo.row === undefined
  const apart = isApart ? { head: plan('head'), foot: plan('foot') } : undefined
  const upPx = apart && boxes.logo.area.y >= text.bottom ? apart.foot.extraPx + apart.foot.highPx : 0
  // A logo of its own goes down for a head of several lines, or up for such a foot.
  const downPx = boxes.logo.gapPx === undefined ? -upPx : (apart?.head.extraPx ?? 0)
  const { area: logoArea, sidePx, align, anchor = 0.5 } = boxes.logo
  const moved = { ...logoArea, y: logoArea.y + downPx }
  const logoPlace = { area: moved, sidePx, align, anchor, ink: card.colors.ink, ...place }
  const drawn = logo && { ...logoArea, ...card.canvas.logo(logo, logoPlace) }
  const rooms = { head: roomBeside(boxes, 'head', drawn), foot: roomBeside(boxes, 'foot', drawn) }
  const { head, foot } = apart ?? { head: plan('head', rooms.head), foot: plan('foot', rooms.foot) }
  const hasLogoIn = (name: RowName) => drawn !== undefined && boxes.logo.row === name
  const hasHead = head.lines.length > 0 || hasLogoIn('head')
  const hasFoot = foot.lines.length > 0 || hasLogoIn('foot')
  const headPx = (hasHead ? text.top : text.bareTop) + head.extraPx + head.highPx
  const top = Math.max(headPx, belowLogo(boxes, drawn) + downPx)
  const bottom = (hasFoot ? text.bottom : text.bareBottom) - foot.extraPx - foot.highPx
  const area = { x: text.x, y: top, width: text.widthPx, height: bottom - top }
  const stage = { ...card, area }
  const fill = templateDrawingOf(texts.template?.name)
  if (fill === undefined) drawTextBlock(stage)
  else fill({ ...stage, setTexts: (change) => drawTextBlock({ ...stage, ...change }) })
  if (hasHead) drawRule(card, 'head', head.extraPx)
  if (hasFoot) drawRule(card, 'foot', -foot.extraPx)
  drawRow(card, head, 'head', rooms.head)
  drawRow(card, foot, 'foot', rooms.foot)
}

function belowLogo({ logo }: Boxes, drawn: PlacedLogo['area'] | undefined): number {
  const { area, anchor = 0.5, gapPx } = logo
  if (drawn === undefined || gapPx === undefined) return 0
  return area.y + (anchor === 0 ? drawn.height : area.height) + gapPx
}

/** A logo that shares a row takes its width and a gap. */
function roomBeside({ logo, unit }: Boxes, name: RowName, drawn: PlacedLogo['area'] | undefined): RowRoom {
  if (drawn === undefined || logo.row !== name) return { startPx: 0, endPx: 0 }
  const takenPx = drawn.width + Math.round(40 * unit)
  const centreY = logo.area.y + logo.area.height / 2
  const startPx = logo.align === 'start' ? takenPx : 0
  return { startPx, endPx: takenPx - startPx, centreY }
}

function drawRule({ canvas, boxes, colors }: CardContext, name: RowName, shiftPx: number): void {
  const { rule } = boxes[name]
  if (rule === undefined) return
  const { x, width } = boxes.content
  canvas.shape(rectangle(0, 0, width, rule.px), x, rule.y + shiftPx, width, colors.rule, colors.ruleOpacity)
}
