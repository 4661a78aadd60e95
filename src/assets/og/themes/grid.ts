import { pictureGround, type ScrimZone } from '../background/picture-ground.ts'
import type { CardSize } from '../card-sizes.ts'
import { themeOf } from '../engine/compile-layout.ts'
import type { Boxes } from '../engine/theme-contract.ts'
import { type Area, filled, rectangle, wholeCard } from '../shapes.ts'
import type { Look } from '../theme.ts'
import json from './grid.json' with { type: 'json' }

/** Theme: a blueprint, with a fine grid over the whole card, corner marks and a domain in a face of machines. */
export const grid = themeOf(json, {
  patterns: 1,
  background({ size }, colors) {
    const { background, of } = colors
    const [fineColor, strongColor] = [of('fine'), of('strong')]
    return {
      color: background,
      body: [
        filled(background, wholeCard(size)),
        filled(fineColor, lines(size, 1)),
        filled(strongColor, lines(size, cellsPerBlock)),
        filled(colors.rule, corners(size)),
      ].join(''),
      logoBackgrounds: [background, fineColor, strongColor],
    }
  },
  picture(look, colors, boxes, picture) {
    const ground = pictureGround(picture, look, colors.scheme, colors, {
      underScrim() {
        const narrow = besidePicture(boxes, look.size, 0.36)
        return { boxes: narrow, zones: zonesOf(narrow, look) }
      },
      besideText() {
        const narrow = narrowed(besidePicture(boxes, look.size, 0.46), look.size)
        const frame = tileOf(narrow, look)
        const opening = `M${frame.x} ${frame.y}v${frame.height}h${frame.width}v${-frame.height}z`
        return { boxes: narrow, frame, opening }
      },
    })
    return ground
  },
})

const cellsPerBlock = 5

/** Fine lines, or every fifth of them. The first ones are off the edges, so that no cell is cut to a sliver. */
function lines({ widthPx, heightPx, shape, unit }: CardSize, every: number): string {
  const cellPx = (shape === 'wide' ? 24 : 27) * unit * every
  const thickPx = 1
  const [columns, rows] = [Math.ceil(widthPx / cellPx), Math.ceil(heightPx / cellPx)]
  const [left, top] = [
    ((widthPx - (columns - 1) * cellPx) / 2) | 0,
    ((heightPx - (rows - 1) * cellPx) / 2) | 0,
  ]
  return [
    ...Array.from({ length: columns }, (_, index) =>
      rectangle(left + Math.round(index * cellPx), 0, thickPx, heightPx),
    ),
    ...Array.from({ length: rows }, (_, index) =>
      rectangle(0, top + Math.round(index * cellPx), widthPx, thickPx),
    ),
  ].join('')
}

/** Angles in the corners of the drawing, as on a sheet to be cut. */
function corners({ widthPx, heightPx, shape, unit }: CardSize): string {
  const [inset, long, thick] = (shape === 'wide' ? [40, 34, 4] : [44, 44, 5]).map((px) =>
    Math.round(px * unit),
  ) as [number, number, number]
  return [inset, widthPx - inset]
    .flatMap((x, column) =>
      [inset, heightPx - inset].map((y, row) => {
        const [left, top] = [column === 0 ? x : x - long, row === 0 ? y : y - thick]
        const upright = rectangle(column === 0 ? x : x - thick, row === 0 ? y : y - long, thick, long)
        return rectangle(left, top, long, thick) + upright
      }),
    )
    .join('')
}

/** On a wide card with a picture at its end everything is beside it. */
export function narrowed(beside: Boxes, { shape }: CardSize): Boxes {
  if (shape !== 'wide') return beside
  const { content, logo, text } = beside
  const width = text.widthPx ?? content.width
  const area = { ...logo.area, x: content.x + width * 0.55, width: width * 0.45 }
  return { ...beside, content: { ...content, width }, logo: { ...logo, area } }
}

/** `headShare` is how much of a square card's height stays free above the text. */
export function besidePicture(boxes: Boxes, { heightPx, shape }: CardSize, headShare: number): Boxes {
  const { content, text } = boxes
  if (shape === 'wide') {
    const widthPx = Math.round(content.width * 0.6)
    return { ...boxes, text: { ...text, widthPx }, head: { ...boxes.head, widthPx } }
  }
  if (shape === 'square') {
    const top = Math.round(heightPx * headShare)
    return { ...boxes, text: { ...text, top: Math.max(text.top, top), bareTop: Math.max(text.bareTop, top) } }
  }
  const bottom = Math.round(heightPx * 0.6)
  return { ...boxes, text: { ...text, bottom, bareBottom: bottom } }
}

/** The area that the texts leave free: at the end, below the head, or above the foot. */
export function tileOf(
  { content, logo, text, foot, unit }: Boxes,
  { size, hasLogo, hasDomain, hasByline }: Look,
): Area {
  const { widthPx, heightPx, shape } = size
  const gapPx = Math.round(32 * unit)
  if (shape === 'wide') {
    const x = content.x + content.width + gapPx
    return { x, y: 0, width: widthPx - x, height: heightPx }
  }
  if (shape === 'square') {
    const y = hasLogo || hasDomain ? Math.round(logo.area.y + logo.area.height + gapPx) : 0
    return { x: 0, y, width: widthPx, height: Math.round(text.top - gapPx) - y }
  }
  const y = Math.round(text.bottom + gapPx)
  const bottom = hasByline ? foot.centreY - foot.linePx - Math.round(34 * unit) - gapPx : heightPx
  return { x: 0, y, width: widthPx, height: bottom - y }
}

export function zonesOf(boxes: Boxes, { size, hasByline, hasLogo, hasDomain }: Look): readonly ScrimZone[] {
  const { widthPx, heightPx, shape } = size
  const { content, text, head, foot, unit } = boxes
  const bottom = content.y + content.height
  const footTop = foot.centreY - foot.linePx - 40 * unit
  const textArea = { ...content, y: footTop, height: bottom - footTop }
  const below: readonly ScrimZone[] = hasByline ? [{ textArea, fadesTo: 'top', fadePx: heightPx * 0.16 }] : []
  if (shape === 'wide') {
    const width = text.widthPx ?? content.width
    return [{ textArea: { ...content, width }, fadesTo: 'end', fadePx: widthPx * 0.36 }, ...below]
  }
  if (shape === 'square') {
    const area = { ...content, y: text.top, height: bottom - text.top }
    const headArea = { ...content, height: head.centreY + head.linePx + 30 * unit - content.y }
    const above: readonly ScrimZone[] =
      hasLogo || hasDomain ? [{ textArea: headArea, fadesTo: 'bottom', fadePx: heightPx * 0.12 }] : []
    return [...above, { textArea: area, fadesTo: 'top', fadePx: heightPx * 0.22 }]
  }
  const area = { ...content, height: text.bottom - content.y }
  return [{ textArea: area, fadesTo: 'bottom', fadePx: heightPx * 0.2 }, ...below]
}
