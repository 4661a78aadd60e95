import type { Area } from './area.ts'
import type { ScrimZone } from './background/picture-under-scrim.ts'
import type { CardSize } from './card-sizes.ts'
import type { Boxes } from './engine/theme-contract.ts'
import type { Look } from './theme.ts'

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
