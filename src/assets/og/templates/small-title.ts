import { scaledSizes } from '../engine/boxes.ts'
import { type Boxes, type Part, partPx, type Stage } from '../engine/contracts.ts'
import { fitTitleAndSubtitle } from '../engine/fit-title.ts'
import { fitEyebrow } from '../engine/text-block.ts'
import type { Area } from '../shapes.ts'
import type { CardTexts } from '../theme.ts'

/** Eyebrow, title and subtitle above something larger: their boxes, and the height that they take. */
export function smallTitle(stage: Stage, sizes: readonly number[] = [58, 52, 46, 42, 38, 34], share = 0.45) {
  const { area, boxes, size } = stage
  const isWide = size.shape === 'wide'
  const sizesPx = scaledSizes(sizes, boxes.unit)
  const floorPx = Math.min(...sizesPx)
  const changed: Boxes = {
    ...boxes,
    title: {
      ...boxes.title,
      sizesPx,
      maxLines: isWide ? 2 : 3,
      maxHeightPx: area.height * share,
      floorPx,
      wholePxMin: floorPx,
    },
    subtitle: { ...boxes.subtitle, sizesPx: scaledSizes([30, 27, 24], boxes.unit), maxLines: isWide ? 1 : 2 },
  }
  const card = { ...stage, boxes: changed }
  const room = { width: area.width, height: area.height * share }
  const { title, subtitle } = fitTitleAndSubtitle(card, room)
  const subtitlePx =
    subtitle === undefined ? 0 : subtitle.heightPx + 0.6 * subtitle.sizePx + 0.08 * title.sizePx
  return { boxes: changed, headPx: Math.ceil(partPx(fitEyebrow(card, area)) + title.heightPx + subtitlePx) }
}

export function stacked(parts: readonly (Part | undefined)[]): Part | undefined {
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

/** The area for a shape at its end, which needs more air above the labels than the last line of a text. */
export function aboveFoot({ area, boxes: { unit } }: Stage): Area {
  return { ...area, height: area.height - 14 * unit }
}

/** Draws a template again with fewer texts, where all of them leave its largest one no room. */
export function drawWith(stage: Stage, texts: CardTexts, draw: (stage: Stage) => void): void {
  draw({ ...stage, texts, setTexts: (change) => stage.setTexts({ texts, ...change }) })
}
