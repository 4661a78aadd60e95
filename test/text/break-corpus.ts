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

interface BreakTables {
  /** By rule. */
  readonly rules: Readonly<Record<string, readonly BreakCase[]>>
  /** Titles by the kind of fault that they invite. No line of them starts at a `~`, which is a space, nor at a `*`, which is nothing. */
  readonly kinds: Readonly<Record<string, readonly string[]>>
  /** Titles of two parts, which a `‖` divides. */
  readonly parts: readonly string[]
  /** Titles with a function word between long ones. */
  readonly lone: readonly string[]
}

interface BreakCase {
  readonly what: string
  /** `|` where a line may end, `~` where it only ends if no size is better, `!` where another break is better, `¦` a bar of the text. */
  readonly marked: string
  readonly lang?: string
}

export const breakTables: BreakTables = JSON.parse(
  readFileSync(new URL('../fixtures/text/line-breaks.json', import.meta.url), 'utf8'),
)
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

/** Those titles, with the places where no line starts. */
export const breakKinds: readonly { readonly kind: string; readonly title: MarkedText }[] = Object.entries(
  breakTables.kinds,
).flatMap(([kind, marked]) => marked.map((text) => ({ kind, title: withMarks(text) })))

/** A bar that is no mark of the corpus is a letter here. */
function withMarks(text: string): MarkedText {
  const { text: plain, marks } = markedText(text.replaceAll('|', '\uE000'))
  const forbidden = [...marks].filter(([, mark]) => mark !== ' ')
  return { text: plain.replaceAll('\uE000', '|'), marks: new Map(forbidden) }
}
