import { initials } from '../../../text/initials.ts'
import { type Part, partPx, type Stage, textPart } from '../engine/contracts.ts'
import { drawFace } from '../engine/ornaments.ts'
import { drawWith, stacked } from '../engine/text-block.ts'
import type { Area } from '../shapes.ts'
import { statsPart } from './stats-drawing.ts'

/** The face as the picture, the name as the title, and below it what the person does, words and numbers. */
export function draw(stage: Stage): void {
  const { texts, canvas, area, boxes, size } = stage
  const { unit, text } = boxes
  const { align } = text
  const role = texts.template?.own['role']
  const letters = initials(texts.title, canvas.lang === undefined ? {} : { lang: canvas.lang })
  const hasFace = canvas.face !== undefined || letters !== ''
  const isBeside = size.shape === 'wide' && align === 'start'
  const largestPx = Math.min(250 * unit, area.width * 0.3)
  const facePx = 2 * Math.round(Math.min(area.height * 0.68, largestPx) / 2)
  const indentPx = hasFace && isBeside ? facePx + Math.round(52 * unit) : 0
  const beside = { ...area, x: area.x + indentPx, width: area.width - indentPx }
  const gapPx = 34 * unit
  // The name keeps room: where there is much else, the face above it is small, then the words are short, then they are left out.
  const counts = numbers(stage, beside)
  const tails = [0.3, 0.15, 0].map((words) =>
    stacked([role === undefined ? undefined : paragraph(stage, beside.width, area.height * words), counts]),
  )
  const ways = [0.3, 0.2, 0.12].flatMap((share) => tails.map((tail) => wayOf(share, tail)))
  function wayOf(share: number, tail: Part | undefined) {
    const sidePx = isBeside ? facePx : 2 * Math.round(Math.min(area.height * share, largestPx) / 2)
    const abovePx = hasFace && !isBeside ? sidePx + gapPx : 0
    return { sidePx, tail, usedPx: abovePx + partPx(tail) }
  }
  const isLong = texts.title.length > longName
  function fitting(from: typeof ways, namePx: number, rolePx: number) {
    const besidesPx = (texts.eyebrow === undefined ? 0 : 50) + (role === undefined ? 0 : rolePx) + namePx
    return from.find(({ usedPx }) => usedPx <= area.height - besidesPx * unit)
  }
  const way = fitting(ways, isLong ? 150 : 90, 70) ?? fitting(ways.slice(-1), isLong ? 110 : 56, 40)
  if (way === undefined && texts.eyebrow !== undefined) {
    drawWith(stage, { ...texts, eyebrow: undefined }, draw)
    return
  }
  const { sidePx, tail } = way ?? wayOf(0.2, undefined)
  const { sign: _, ...usual } = boxes.subtitle
  const small = { ...boxes.title, floorPx: 34 * unit, maxLines: 3 }
  const block = stage.setTexts({
    texts: { ...texts, subtitle: role ?? texts.subtitle },
    area: beside,
    boxes: {
      ...boxes,
      subtitle: role === undefined ? boxes.subtitle : { ...usual, role: 'role', maxLines: 2 },
      title: isLong ? small : boxes.title,
    },
    tail,
    above: hasFace && !isBeside ? { heightPx: sidePx, gapPx, draw: face } : undefined,
  })
  if (!hasFace || !isBeside) return
  const middle = (block.top + block.bottom) / 2
  const top = Math.min(Math.max(area.y, middle - sidePx / 2), area.y + area.height - sidePx - 16 * unit)
  face({ ...area, y: top, width: sidePx })

  function face({ x, y, width }: Area): void {
    const { mark: fill, onMark: ink } = stage.colors
    const left = x + (align === 'center' ? (width - sidePx) / 2 : 0)
    const own = { canvas, texts: { ...texts, initials: letters || undefined } }
    drawFace(own, { fill, ink }, left, y + sidePx / 2, sidePx)
  }
}

/** A name of more characters may be smaller than titles are. */
const longName = 24

/** The subtitle below the role; undefined where a line of it has no room. */
function paragraph(stage: Stage, widthPx: number, heightPxMax: number): Part | undefined {
  const { texts, canvas, boxes, colors } = stage
  const { sign: _, ...spec } = boxes.subtitle
  const sizesPx = spec.sizesPx.map((sizePx) => Math.round(sizePx * 0.82))
  if (texts.subtitle === undefined || heightPxMax < 1.5 * Math.min(...sizesPx)) return undefined
  const wanted = { ...spec, sizesPx, maxLines: spec.maxLines + 1 }
  const ownPx = Math.min(widthPx, spec.maxWidthPx)
  const fitted = canvas.fit('subtitle', texts.subtitle, wanted, ownPx, heightPxMax)
  return textPart(stage, 'subtitle', fitted, 20, colors.paleInk)
}

function numbers(stage: Stage, { width, height }: Area): Part | undefined {
  if (stage.texts.template?.own['stats'] === undefined) return undefined
  const part = statsPart(stage, { width, height: height * 0.26 }, 68)
  return { ...part, gapPx: 30 * stage.boxes.unit }
}
