import { text } from '../../../lib/fields.ts'
import { pathBounds } from '../../../svg/bounds.ts'
import { pathString } from '../../../svg/write-path.ts'
import { defineTemplate, face, type Part, type Stage, sizeSteps } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import marksByLanguage from './quotation-marks.json' with { type: 'json' }

export const quote = defineTemplate({
  about: 'a quotation',
  parameters: {
    title: text(1, 240, {
      ...parameterTexts.quote.title,
      longer: { parameter: 'overflow', value: 'ellipsis', maxLength: 300 },
    }),
    face,
    role: text(0, 60, parameterTexts.quote.role),
  },
  roles: {
    title: {
      parameter: 'title',
      style: ({ title, subtitle }) => ({
        ...title,
        family: subtitle.family,
        weight: Math.min(title.weight, 500),
        trackingUnits: -8,
      }),
    },
    opening: { parameter: 'title', style: ({ title }) => title },
    role: { parameter: 'role', style: ({ author }) => ({ ...author, weight: 400 }) },
  },
  byline: { second: 'role', hasFace: true },
  texts: ({ role }) => ({ role }),
  draw(stage) {
    const { texts, canvas, area, boxes, size } = stage
    const { unit, title, text: block } = boxes
    const [opening, closing] = marksOf(texts.template?.lang ?? 'en')
    const quoted = texts.title.replace(outerMarks, '$1$2')
    const mark = openingMark(stage, canvas.direction === 'rtl' ? mirrored(opening) : opening)
    const isBeside = size.shape === 'wide' && block.align === 'start'
    const indentPx = isBeside ? mark.widthPx + 30 * unit : 0
    const largestPx = Math.min((size.shape === 'wide' ? 92 : 104) * unit, title.sizesPx[0] ?? 0)
    const changed = {
      texts: { ...texts, title: quoted + closing },
      area: { ...area, x: area.x + indentPx, width: area.width - indentPx },
      boxes: {
        ...boxes,
        title: {
          ...title,
          opening,
          sizesPx: sizeSteps(Math.round(largestPx), Math.round(36 * unit)),
          maxLines: 7,
          leading: (title.leading ?? 1) * 1.1,
          maxHeightPx: area.height,
          wholePxMin: Math.round(36 * unit),
        },
      },
    }
    const set = stage.setTexts({ ...changed, ...(!isBeside && { lead: mark }) })
    if (!isBeside) return
    const first = set.title.lines[0]
    const capitalsY = set.area.y + (first?.baselinePx ?? 0) - 0.73 * set.title.sizePx
    mark.draw({ x: area.x, y: capitalsY, width: mark.widthPx, height: mark.heightPx })
  },
})

/** Marks that a caller has set already. */
const outerMarks = /^["“”„«»「『](.*)["“”„«»」』]$|^(.*)$/s

const table: Readonly<Record<string, string>> = marksByLanguage

function marksOf(lang: string): readonly [opening: string, closing: string] {
  const tag = lang.toLowerCase()
  const found = table[tag] ?? table[tag.split('-', 1)[0] ?? ''] ?? '“”'
  return [found.slice(0, found.length / 2), found.slice(found.length / 2)]
}

/** A single mark is laid out by itself, where no letter says that it belongs to a text from right to left. */
function mirrored(mark: string): string {
  return { '«': '»', '「': '」' }[mark] ?? mark
}

/** The opening mark, large, in the theme's colour of marks. */
function openingMark({ canvas, boxes, colors }: Stage, mark: string): Part & { readonly widthPx: number } {
  const { unit, text } = boxes
  const [piece] = canvas.line('opening', mark, 100).lines[0]?.pieces ?? []
  const d = piece?.kind === 'outline' ? pathString(piece.path) : ''
  const { left, top, right, bottom } = pathBounds(d) ?? { left: 0, top: 0, right: 1, bottom: 1 }
  const scale = unit * Math.min(66 / (bottom - top), 112 / (right - left))
  const [widthPx, heightPx] = [(right - left) * scale, (bottom - top) * scale]
  return {
    widthPx,
    heightPx,
    gapPx: 22 * unit,
    draw({ x, y, width }) {
      const start = x + (text.align === 'center' ? (width - widthPx) / 2 : 0)
      const fromStart = canvas.direction === 'rtl' ? left : -left
      canvas.shape(d, start + fromStart * scale, y - top * scale, widthPx, colors.mark, undefined, scale)
    },
  }
}
