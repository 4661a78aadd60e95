import { formatted, text } from '../../../lib/fields.ts'
import type { FittedText } from '../../../text/types.ts'
import { defineTemplate, type Part, type Stage, sizeSteps, textPart } from '../engine/contracts.ts'
import parameterTexts from '../parameter-texts.json' with { type: 'json' }
import type { Area } from '../shapes.ts'
import { dateIn } from './dates.ts'
import { itemsOf } from './forms.ts'

export const release = defineTemplate({
  about: 'a version and what is new in it',
  parameters: {
    version: text(1, 20, parameterTexts.release.version),
    date: formatted('iso-date', parameterTexts.release.date),
    items: formatted('card-items', parameterTexts.release.items),
  },
  required: 'version',
  headline: 'version',
  roles: {
    version: { parameter: 'version', style: ({ title, numbers = title }) => numbers },
    items: { parameter: 'items', style: ({ author }) => ({ ...author, weight: 400 }) },
    kind: { parameter: 'items', style: ({ author }) => author },
    date: { parameter: 'date', style: ({ author }) => ({ ...author, weight: 400 }) },
  },
  byline: { second: 'date' },
  texts: ({ version, date, items }, lang) => ({
    version,
    date: date && dateIn(lang, date),
    items: itemsOf(items)
      .map(({ all }) => all)
      .join(' · '),
  }),
  draw(stage) {
    const { texts, area, boxes, size } = stage
    const { unit, title } = boxes
    const version = texts.template?.own['version'] ?? ''
    const share = version.length <= 5 ? 0.54 : 0.42
    // A long version below small letters would be no headline.
    const isWhole = area.width * (1 - share) > version.length * 40 * unit
    const isBeside = size.shape === 'wide' && boxes.text.align === 'start' && isWhole
    const gapPx = 60 * unit
    const hasEyebrow = texts.eyebrow !== undefined || boxes.eyebrow.isAlways === true
    // The version stays the largest text where all are below each other on a low card.
    const isLow = size.shape === 'wide' && !isBeside
    const headPx = titleAbove(stage, area.width, isLow).heightPx + (hasEyebrow ? 150 : 110) * unit
    const list = isBeside
      ? itemList(stage, area.width * share, area.height)
      : itemList(stage, area.width, area.height - headPx, isLow)
    const narrow =
      list === undefined || !isBeside ? area : { ...area, width: area.width - list.widthPx - gapPx }
    const largestPx = Math.min(Math.max(285 * unit, title.sizesPx[0] ?? 0), 320 * unit)
    const floorPx = 44 * unit
    const sizesPx = sizeSteps(largestPx, floorPx)
    const headline = { ...title, role: 'version', sizesPx, floorPx, maxLines: 1, maxHeightPx: area.height }
    const block = stage.setTexts({
      texts: { ...texts, title: version },
      area: narrow,
      boxes: { ...boxes, title: headline },
      lead: titleAbove(stage, narrow.width, isLow),
      ...(list && !isBeside && { tail: { ...list, gapPx: (isLow ? 24 : 40) * unit } }),
    })
    if (list === undefined || !isBeside) return
    const { lines, sizePx } = block.title
    // The list is about the middle of the digits.
    const middle = block.area.y + (lines[0]?.baselinePx ?? 0) - 0.365 * sizePx
    const top = Math.min(Math.max(area.y, middle - list.heightPx / 2), area.y + area.height - list.heightPx)
    list.draw({ x: area.x + area.width - list.widthPx, y: top, width: list.widthPx, height: list.heightPx })
  },
})

function titleAbove(stage: Stage, widthPx: number, isLow: boolean): Part {
  const { texts, canvas, area, boxes, colors } = stage
  const sizesPx = sizeSteps(Math.round((isLow ? 40 : 52) * boxes.unit), Math.round(30 * boxes.unit))
  const spec = { sizesPx, maxLines: 3, leading: 1.14 }
  const fitted = canvas.fit('title', texts.title, spec, widthPx, area.height * 0.34)
  return textPart(stage, 'title', fitted, 10, colors.ink)
}

/** The items below each other, with what they are in a column before them. */
function itemList(stage: Stage, widthPx: number, heightPx: number, isLow = false) {
  const { texts, canvas, boxes, size, colors } = stage
  const { unit, text } = boxes
  const items = itemsOf(Reflect.get(texts.template?.params ?? {}, 'items'))
  if (items.length === 0) return undefined
  const largestPx = (isLow ? 27 : size.shape === 'wide' ? 34 : 36) * unit
  // The theme's colour of small texts marks what an item is, or the ink where it has none.
  const isColored = colors.eyebrow !== colors.paleInk
  const hasKinds = items.some(({ kind }) => kind !== undefined)
  const ink = hasKinds && !isColored ? colors.paleInk : colors.ink
  function rowsAt(sizePx: number) {
    const between = sizePx * (isLow ? 0.3 : 0.5)
    const kinds = items.map(({ kind }) => kind && canvas.line('kind', kind, sizePx, widthPx * 0.4))
    const columnPx = Math.max(...kinds.map((kind) => (kind ? kind.widthPx + sizePx * 0.55 : 0)))
    const rows = items.map(({ text }, at) => {
      const kind = kinds[at]
      const indentPx = kind ? columnPx : 0
      const spec = { sizesPx: [sizePx], maxLines: 3, leading: 1.24 }
      const fitted = canvas.fit('items', text, spec, widthPx - indentPx, heightPx)
      return { kind, fitted, indentPx, widthPx: indentPx + fitted.widthPx }
    })
    const isWhole = heightOf(rows, between) <= heightPx && rows.every((row) => !row.fitted.truncated)
    return { rows, between, isWhole }
  }
  const tries = sizeSteps(Math.round(largestPx), Math.round(23 * unit)).map(rowsAt)
  const { rows: all, between } = tries.find(({ isWhole }) => isWhole) ?? tries.at(-1) ?? rowsAt(largestPx)
  // An item that has no room at all is left out.
  const rows = all.filter((_, at) => at === 0 || heightOf(all.slice(0, at + 1), between) <= heightPx)
  const listPx = Math.max(...rows.map((row) => row.widthPx))
  return {
    heightPx: heightOf(rows, between),
    widthPx: listPx,
    draw({ x: left, y, width }: Area) {
      const x = left + (text.align === 'center' ? (width - listPx) / 2 : 0)
      let top = y
      for (const { kind, fitted, indentPx } of rows) {
        if (kind) {
          const kindY = top + (fitted.lines[0]?.baselinePx ?? 0) - (kind.lines[0]?.baselinePx ?? 0)
          const color = isColored ? colors.eyebrow : colors.ink
          canvas.text('kind', kind, { x, y: kindY, width: kind.widthPx }, color)
        }
        canvas.text('items', fitted, { x: x + indentPx, y: top, width: listPx - indentPx }, ink)
        top += fitted.heightPx + between
      }
    },
  }
}

function heightOf(rows: readonly { readonly fitted: FittedText }[], between: number): number {
  return rows.reduce((sum, row) => sum + row.fitted.heightPx + between, -between)
}
