import type { TextFitter, TextRequest } from '../../../text/text-fitter.ts'
import type { DejaVu } from '../dejavu-font.ts'
import { type BadgeFont, fontWidths } from './font.ts'
import { isMark, isSettled, type Measure, measureText } from './measure.ts'

/**
 * Widths of texts that the tables only guess: each word of a script that they lack is shaped in Noto Sans and, where
 * that has it, in DejaVu Sans, because viewers see the one or the other; the widest counts. The engine must have
 * been told of `requestsFor` the text. Exact measures stay as they are, and so do emoji.
 */
export function createShapedMeasure(fitter: TextFitter, dejavu: DejaVu) {
  function widthIn(font: BadgeFont, { text, isGuessed }: Stretch): number {
    const { widthPx, direction } = measureText(text, font)
    const { sizePx } = fontWidths(font)
    const glyphs = dejavu(text, font.includes('bold') ? 'bold' : 'regular', direction) ?? []
    const dejavuPx = glyphs.reduce((sum, { advance }) => sum + (advance * sizePx) / 1000, 0)
    const notoPx = isGuessed ? fitter.line(text, requestFor(text, font).style, sizePx).widthPx : 0
    return Math.max(widthPx, dejavuPx, notoPx)
  }

  return (text: string, font: BadgeFont, emojiWidth?: 'shields'): Measure => {
    const measure = measureText(text, font, emojiWidth)
    if (measure.exact) return measure
    const stretches = stretchesOf(text, font)
    if (!stretches.some(({ isGuessed }) => isGuessed)) return measure
    const widthPx = stretches.reduce((sum, stretch) => sum + widthIn(font, stretch), 0)
    return { ...measure, widthPx: Math.max(measure.widthPx, widthPx) }
  }
}

/** The fonts that the engine must load before it measures a text. */
export function requestsFor(text: string, font: BadgeFont): readonly TextRequest[] {
  return stretchesOf(text, font).flatMap((stretch) =>
    stretch.isGuessed ? [requestFor(stretch.text, font)] : [],
  )
}

/** A text of a badge in the engine's style for a font. */
export function requestFor(text: string, font: BadgeFont): TextRequest {
  return { text, style: { family: 'sans', weight: font.includes('bold') ? 700 : 500 } }
}

/** A part of a text in which either all widths are guessed or none. */
interface Stretch {
  readonly text: string
  readonly isGuessed: boolean
}

/** Marks and joiners belong to the stretch before them. */
function stretchesOf(text: string, font: BadgeFont): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const character of text) {
    const last = stretches.at(-1)
    const isGuessed = isMark(character) ? (last?.isGuessed ?? false) : !isSettled(character, font)
    if (last?.isGuessed === isGuessed)
      stretches[stretches.length - 1] = { text: last.text + character, isGuessed }
    else stretches.push({ text: character, isGuessed })
  }
  return stretches
}
