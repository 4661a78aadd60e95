import type { Rgb } from '../../lib/color.ts'
import type { FittedText } from '../../text/types.ts'
import { type Area, type Canvas, capital, type TextSpec } from './canvas.ts'
import type { CardWords } from './theme.ts'

/** How a theme sets its title and subtitle in one area. */
interface LayoutSpec {
  readonly title: TextSpec & { readonly color: Rgb; readonly maxHeightPx: number }
  readonly subtitle: TextSpec & { readonly color: Rgb; readonly maxWidthPx: number }
  /** Where title and subtitle stand in the free height: 0 top, 0.5 middle, which is the default, 1 bottom. */
  readonly anchor?: number
}

/** Fits title and subtitle together into the area and sets them, the title as large as both allow. */
export function drawLayout(words: CardWords, canvas: Canvas, area: Area, spec: LayoutSpec): void {
  const { title, subtitle } = fitTitleAndSubtitle(words, canvas, area, spec)
  const textPx = title.heightPx + (subtitle?.heightPx ?? 0)
  const gapPx =
    subtitle === undefined ? 0 : Math.min(gapPxMin(subtitle) + title.sizePx * 0.08, area.height - textPx)
  const heightPx = textPx + gapPx
  const { above, below } = blankEdges(title, subtitle ?? title)
  const { anchor = 0.5 } = spec
  const freePx = area.height - heightPx
  const wanted = (freePx + above + below) * anchor - above
  const top = area.y + Math.min(Math.max(wanted, anchor === 0 ? -above : 0), Math.max(0, freePx))
  canvas.text('title', title, { ...area, y: top, height: area.y + area.height - top }, spec.title.color)
  if (subtitle === undefined) return
  const y = top + title.heightPx + gapPx
  canvas.text('subtitle', subtitle, { ...area, y, height: area.y + area.height - y }, spec.subtitle.color)
}

/** The subtitle takes its room first; if that leaves too little for the title, it makes itself small. */
function fitTitleAndSubtitle(words: CardWords, canvas: Canvas, area: Area, spec: LayoutSpec) {
  function fitTitle(roomPx: number) {
    return canvas.fit('title', words.title, spec.title, area.width, Math.min(spec.title.maxHeightPx, roomPx))
  }
  if (words.subtitle === undefined) return { title: fitTitle(area.height), subtitle: undefined }
  const subtitle = fitSubtitle(words.subtitle, canvas, area, spec.subtitle)
  const title = fitTitle(area.height - subtitle.heightPx - gapPxMin(subtitle))
  if (!title.truncated) return { title, subtitle }
  const oneLine = { ...spec.subtitle, sizesPx: spec.subtitle.sizesPx.slice(-1), maxLines: 1 }
  const small = canvas.fit('subtitle', words.subtitle, oneLine, area.width, area.height)
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

/** The least room between the title's last line box and the subtitle. */
function gapPxMin(subtitle: FittedText): number {
  return subtitle.sizePx * 0.6
}

/** Line boxes hold air above the capitals and below the last baseline; centring must not count it. */
function blankEdges(first: FittedText, last: FittedText): { readonly above: number; readonly below: number } {
  const firstBaseline = first.lines[0]?.baselinePx ?? 0
  const lastBaseline = last.lines.at(-1)?.baselinePx ?? last.heightPx
  return {
    above: Math.max(0, firstBaseline - capital * first.sizePx),
    below: Math.max(0, last.heightPx - lastBaseline),
  }
}
