import { setImmediate } from 'node:timers/promises'
import { pathString } from '../../../svg/write-path.ts'
import { readFontFile } from '../../../text/font-files.ts'
import { glyphOutline, type HarfBuzzFont, loadHarfBuzz } from '../../../text/harfbuzz.ts'
import type { Direction, TextFitter, TextRequest } from '../../../text/types.ts'
import { type BadgeFont, fontWidths, isSettled, type Measure, mark, measureText } from './measure.ts'

/** Widths of texts that the tables only guess: viewers see Noto Sans or DejaVu Sans, and the widest counts. The fitter needs `requestsFor` them. */
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

export function requestFor(text: string, font: BadgeFont): TextRequest {
  return { text, style: { family: 'sans', weight: font.includes('bold') ? 700 : 500 } }
}

type Stretch = ReturnType<typeof stretchesOf>[number]

/** Parts of a text, in each of which either all widths are guessed or none. Marks and joiners belong to the one before them. */
function stretchesOf(text: string, font: BadgeFont) {
  const stretches: { readonly text: string; readonly isGuessed: boolean }[] = []
  for (const character of text) {
    const last = stretches.at(-1)
    const isGuessed = mark.test(character) ? (last?.isGuessed ?? false) : !isSettled(character, font)
    if (last?.isGuessed === isGuessed)
      stretches[stretches.length - 1] = { text: last.text + character, isGuessed }
    else stretches.push({ text: character, isGuessed })
  }
  return stretches
}

/** DejaVu Sans is the free relative of Verdana, with nearly the same widths. The package's files by weight. */
const files = { regular: 'ttf/DejaVuSans.ttf', bold: 'ttf/DejaVuSans-Bold.ttf' }

const plainLine = { start: 0, lang: '', separate: true } as const

export type DejaVu = Awaited<ReturnType<typeof createDejaVu>>

/** Draws text in DejaVu Sans (two fonts of 750 kB): letters in visual order, in 1/1000 em, y down; undefined when a character is missing. */
export async function createDejaVu() {
  const harfbuzz = await loadHarfBuzz()
  const fonts = { regular: await load(files.regular), bold: await load(files.bold) }

  async function load(file: string): Promise<HarfBuzzFont> {
    const bytes = await readFontFile({ packageName: 'dejavu-fonts-ttf', file })
    const font = harfbuzz.createFace(bytes).font({})
    // A font makes its tables when it shapes the first letter.
    await setImmediate()
    font.shape({ ...plainLine, text: 'A', direction: 'ltr', end: 1 })
    await setImmediate()
    return font
  }

  return (text: string, weight: keyof typeof files, direction: Direction = 'ltr') => {
    const font = fonts[weight]
    const glyphs = font.shape({ ...plainLine, text, direction, end: text.length })
    if (glyphs.some(({ id }) => id === 0)) return undefined
    return glyphs.map(({ id, xAdvance: advance, xOffset, yOffset }) => {
      return { d: pathString(glyphOutline(font, id)), advance, xOffset, yOffset }
    })
  }
}
