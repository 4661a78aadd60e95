import { initials } from '../../../text/initials.ts'
import { drawFace } from '../engine/ornaments.ts'
import type { Part, Stage } from '../engine/template-contract.ts'
import type { Area } from '../shapes.ts'
import { drawWith } from './small-title.ts'
import { statsPart } from './stats-drawing.ts'

/** The face as the picture, the name as the title, and below it what the person does, words and numbers. */
export function draw(stage: Stage): void {
  const { texts, canvas, area, boxes, size } = stage
  const {
    unit,
    text: { align },
  } = boxes
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
  const bare = [{ share: 0.2, all: [undefined] }]
  const ways = [...[0.3, 0.2, 0.12].map((share) => ({ share, all: tails })), ...bare].flatMap(
    ({ share, all }) =>
      all.map((tail) => {
        const sidePx = isBeside ? facePx : 2 * Math.round(Math.min(area.height * share, largestPx) / 2)
        const abovePx = hasFace && !isBeside ? sidePx + gapPx : 0
        const usedPx = abovePx + (tail === undefined ? 0 : tail.heightPx + tail.gapPx)
        return { sidePx, tail, usedPx }
      }),
  )
  const eyebrowPx = texts.eyebrow === undefined ? 0 : 50 * unit
  const rolePx = role === undefined ? 0 : 70 * unit
  const namePx = (texts.title.length > longName ? 150 : 90) * unit
  const wantedPx = area.height - eyebrowPx - rolePx - namePx
  const way = ways.find(({ usedPx }) => usedPx <= wantedPx)
  if (way === undefined && texts.eyebrow !== undefined) {
    drawWith(stage, { ...texts, eyebrow: undefined }, draw)
    return
  }
  const { sidePx, tail } = way ?? (ways.at(-1) as Way)
  const { sign: _, ...usual } = boxes.subtitle
  const small = { ...boxes.title, floorPx: 34 * unit, maxLines: 3 }
  const block = stage.setTexts({
    texts: { ...texts, subtitle: role ?? texts.subtitle },
    area: beside,
    boxes: {
      ...boxes,
      subtitle: role === undefined ? boxes.subtitle : { ...usual, role: 'role', maxLines: 2 },
      title: texts.title.length > longName ? small : boxes.title,
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
    drawFace(
      canvas,
      { ...texts, initials: letters || undefined },
      { fill, ink },
      left,
      y + sidePx / 2,
      sidePx,
    )
  }
}

/** A name of more characters may be smaller than titles are. */
const longName = 24

interface Way {
  readonly sidePx: number
  readonly tail: Part | undefined
  readonly usedPx: number
}

/** The subtitle below the role; undefined where a line of it has no room. */
function paragraph(
  { texts, canvas, boxes, colors }: Stage,
  widthPx: number,
  heightPxMax: number,
): Part | undefined {
  const { sign: _, ...spec } = boxes.subtitle
  const sizesPx = spec.sizesPx.map((sizePx) => Math.round(sizePx * 0.82))
  if (texts.subtitle === undefined || heightPxMax < 1.5 * Math.min(...sizesPx)) return undefined
  const wanted = { ...spec, sizesPx, maxLines: spec.maxLines + 1 }
  const fitted = canvas.fit(
    'subtitle',
    texts.subtitle,
    wanted,
    Math.min(widthPx, spec.maxWidthPx),
    heightPxMax,
  )
  return {
    heightPx: fitted.heightPx,
    gapPx: 20 * boxes.unit,
    draw: (place) => canvas.text('subtitle', fitted, place, colors.paleInk, boxes.text.align),
  }
}

/** The numbers, in a row. */
function numbers(stage: Stage, { width, height }: Area): Part | undefined {
  if (stage.texts.template?.own['stats'] === undefined) return undefined
  const part = statsPart(stage, { width, height: height * 0.26 }, 76)
  return { ...part, gapPx: 30 * stage.boxes.unit }
}

/** Parts below each other as one. */
function stacked(parts: readonly (Part | undefined)[]): Part | undefined {
  const [first, ...others] = parts.filter((part) => part !== undefined)
  if (first === undefined) return undefined
  return others.reduce(
    (above, part) => ({
      heightPx: above.heightPx + part.gapPx + part.heightPx,
      gapPx: above.gapPx,
      draw(area) {
        above.draw({ ...area, height: above.heightPx })
        part.draw({ ...area, y: area.y + above.heightPx + part.gapPx, height: part.heightPx })
      },
    }),
    first,
  )
}
