import type { FittedText } from '../../text/types.ts'
import type { Align, Area } from './area.ts'
import { type Canvas, capital, type TextSpec } from './canvas.ts'
import type { CardTexts, TextColors } from './theme.ts'

/** How a theme sets its title and subtitle in one area. */
export interface LayoutSpec {
  readonly title: TextSpec & { readonly maxHeightPx: number }
  readonly subtitle: TextSpec & { readonly maxWidthPx: number }
  /** Where title and subtitle stand in the free height: 0 top, 0.5 middle, which is the default, 1 bottom. */
  readonly anchor?: number
  readonly align?: Align
}

/**
 * Fits title and subtitle together into the area and sets them, the title as large as both allow. Returns where they end,
 * in px from the card's top.
 */
export function drawLayout(
  texts: CardTexts,
  canvas: Canvas,
  area: Area,
  spec: LayoutSpec,
  { ink, paleInk }: TextColors,
): number {
  const { title, subtitle } = fitTitleAndSubtitle(texts, canvas, area, spec)
  const textPx = title.heightPx + (subtitle?.heightPx ?? 0)
  const gapPx =
    subtitle === undefined ? 0 : Math.min(gapPxMin(subtitle) + title.sizePx * 0.08, area.height - textPx)
  const heightPx = textPx + gapPx
  const { above, below, aboveInk } = blankEdges(title, subtitle ?? title)
  const { anchor = 0.5, align } = spec
  const freePx = area.height - heightPx
  const wanted = (freePx + above + below) * anchor - above
  const least = anchor === 0 ? Math.max(-above, -aboveInk - ascent * title.sizePx) : 0
  const top = area.y + Math.min(Math.max(wanted, least), Math.max(0, freePx))
  canvas.text('title', title, { ...area, y: top, height: area.y + area.height - top }, ink, align)
  const y = top + title.heightPx + gapPx
  if (subtitle === undefined) return y
  canvas.text('subtitle', subtitle, { ...area, y, height: area.y + area.height - y }, paleInk, align)
  return y + subtitle.heightPx
}

/** The sizes that a text may take, each a tenth smaller than the one before. */
export function sizeSteps(largestPx: number, smallestPx: number): readonly number[] {
  const steps: number[] = []
  for (let sizePx = largestPx; sizePx > smallestPx * 1.05; sizePx *= 0.9) steps.push(Math.round(sizePx))
  return [...steps, smallestPx]
}

export function scaledSizes(sizesPx: readonly number[], unit: number): readonly number[] {
  return sizesPx.map((sizePx) => Math.round(sizePx * unit))
}

/** The subtitle takes its room first; if that leaves too little for the title, it makes itself small. */
function fitTitleAndSubtitle(texts: CardTexts, canvas: Canvas, area: Area, spec: LayoutSpec) {
  function fitTitle(roomPx: number) {
    return canvas.fit('title', texts.title, spec.title, area.width, Math.min(spec.title.maxHeightPx, roomPx))
  }
  if (texts.subtitle === undefined) return { title: fitTitle(area.height), subtitle: undefined }
  const subtitle = fitSubtitle(texts.subtitle, canvas, area, spec.subtitle)
  const title = fitTitle(area.height - subtitle.heightPx - gapPxMin(subtitle))
  if (!title.truncated) return { title, subtitle }
  const oneLine = { ...spec.subtitle, sizesPx: spec.subtitle.sizesPx.slice(-1), maxLines: 1 }
  const small = canvas.fit('subtitle', texts.subtitle, oneLine, area.width, area.height)
  return { title: fitTitle(area.height - small.heightPx - gapPxMin(small)), subtitle: small }
}

/** Two or three lines that are pleasant to read; only a text that does not fit gets more lines, in a smaller size. */
function fitSubtitle(text: string, canvas: Canvas, area: Area, spec: LayoutSpec['subtitle']): FittedText {
  const pleasant = canvas.fit(
    'subtitle',
    text,
    spec,
    Math.min(area.width, spec.maxWidthPx),
    area.height * 0.4,
  )
  if (!pleasant.truncated) return pleasant
  const smallestPx = Math.min(...spec.sizesPx)
  const dense = { ...spec, sizesPx: [smallestPx, smallestPx - 4], maxLines: spec.maxLines + 2 }
  return canvas.fit('subtitle', text, dense, area.width, area.height * 0.4)
}

/** How far ink may rise above the capitals of a title that begins at the top of its area, as a share of its size. */
const ascent = 0.22

/** The least room between the title's last line box and the subtitle. */
function gapPxMin(subtitle: FittedText): number {
  return subtitle.sizePx * 0.6
}

/** Line boxes hold air above the capitals and below the last baseline; centring must not count it. */
function blankEdges(first: FittedText, last: FittedText) {
  const firstBaseline = first.lines[0]?.baselinePx ?? 0
  const lastBaseline = last.lines.at(-1)?.baselinePx ?? last.heightPx
  return {
    above: Math.max(0, firstBaseline - capital * first.sizePx),
    below: Math.max(0, last.heightPx - lastBaseline),
    /** Top of the ink, because emoji and marks rise above the capitals. */
    aboveInk: firstBaseline + (first.lines[0]?.ink.top ?? 0),
  }
}
