import { readdirSync, readFileSync } from 'node:fs'

/**
 * Titles and subtitles as people write them, with the breaks that a native reader accepts: at a space, and at `|`, which
 * is none. No line ends at `~`, a space behind an article or inside a number, at `*`, the same without a space, nor at `_`
 * and `^`, a space and no space before a particle. Titles and subtitles alternate, a file a language.
 */
export interface BreakSample {
  readonly lang: string
  readonly title: MarkedText
  readonly subtitle: MarkedText
}

export interface MarkedText {
  readonly text: string
  /** Marks by the offset where the next line would start. */
  readonly marks: ReadonlyMap<number, string>
}

export type BreakFault = 'word' | 'particle' | 'article' | 'number'

const folder = new URL('../fixtures/line-breaks/', import.meta.url)
const digit = /[\p{Nd}%٪]/u
const numberBefore = /\p{Nd}[万萬億亿만]?[%~ ]?$/u

export function breakCorpus(): readonly BreakSample[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n').map(markedText)
      const titles = lines.filter((_, at) => at % 2 === 0)
      return titles.map((title, at) => ({
        lang: file.replace('.txt', ''),
        title,
        subtitle: lines[2 * at + 1] ?? title,
      }))
    })
}

export function markedText(marked: string): MarkedText {
  const marks = new Map<number, string>()
  let text = ''
  for (const character of marked) {
    if (/[|^*]/.test(character)) marks.set(text.length, character)
    else if (/[ ~_]/.test(character)) {
      text += ' '
      marks.set(text.length, character)
    } else text += character
  }
  return { text, marks }
}

/** The fault that a reader sees if a line starts at this offset. */
export function breakFault({ text, marks }: MarkedText, offset: number): BreakFault | undefined {
  const mark = marks.get(offset)
  if (mark === ' ' || mark === '|') return undefined
  if (mark === '_' || mark === '^') return 'particle'
  if (numberBefore.test(text.slice(0, offset))) return 'number'
  if (mark === '~' || mark === '*') return 'article'
  return digit.test(text[offset] ?? '') ? 'number' : 'word'
}
