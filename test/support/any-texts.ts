import { cleanText } from '../../src/text/clean-text.ts'
import { randomFrom } from './random.ts'

/** A text as somebody may send it who wants it to take long. */
export interface AnyText {
  readonly name: string
  /** Cleaned, as it is laid out. */
  readonly text: string
  readonly lang?: string
}

type Range = readonly [first: number, last: number]

const pagePoints = 256
const planes = [0, 1, 2, 3, 0xe]
const assigned = /[^\p{Cn}\p{Cs}\p{Co}\p{Cc}]/u
const lengths = [80, 300, 500]
const langs = ['', 'ja', 'zh-Hans', 'zh-Hant', 'ko']
const han: Range = [0x4e00, 0x9fff]

/** Every stretch of 256 code points in which Unicode has a character: blocks, and parts of the large ones. */
export const unicodePages: readonly Range[] = planes.flatMap((plane) =>
  Array.from({ length: 0x10000 / pagePoints }, (_, page): Range => {
    const first = plane * 0x10000 + page * pagePoints
    return [first, first + pagePoints - 1]
  }).filter((page) => pointsOf(page).some(isAssigned)),
)

/** Seeded texts without an end: characters of one page, then of two, some with spaces. */
export function* anyTexts(seed: number): Generator<AnyText> {
  const random = randomFrom(seed)
  for (;;) {
    const pages = Array.from({ length: 1 + random.below(2) }, () => random.pick(unicodePages))
    yield textOf(pages, random.pick(lengths), random)
  }
}

/** One text of each page, as long as a text may be. */
export function textsOfPages(seed: number): readonly AnyText[] {
  const random = randomFrom(seed)
  return unicodePages.map((page) => textOf([page], 500, random))
}

/** The kinds of which each letter needs most. */
export function heavyTexts(seed: number): readonly AnyText[] {
  const { below } = randomFrom(seed)
  const every = pointsOf(han)
  const fixed: Readonly<Record<string, string>> = {
    marks: repeated(500, () => (below(4) === 0 ? point(0x61, 26) : point(0x300, 112))),
    tags: `🏴${repeated(498, () => point(0xe0020, 96))}`,
    selectors: repeated(250, () => point(0x4e00, 20_000) + point(0xe0100, 240)),
    families: '👨\u{1F3FD}\u200D👩\u{1F3FE}\u200D👧\u200D👦'.repeat(40),
    flags: repeated(250, () => point(0x1f1e6, 26)),
    emoji: repeated(300, () => point(0x1f300, 0x2ff)),
    brackets: '([{«“'.repeat(100),
    turning: 'אa'.repeat(250),
    oneWord: repeated(500, () => point(0x61, 26)),
  }
  return [
    ...langs.map((lang, at) => ({
      name: `500 Han characters, each once, in ${lang || 'no language'}`,
      text: Array.from({ length: 500 }, (_, index) => scattered(at * 500 + index)).join(''),
      ...(lang === '' ? {} : { lang }),
    })),
    ...Object.entries(fixed).map(([name, text]) => ({ name, text: cleanText(text) })),
  ]

  function point(first: number, count: number): string {
    return String.fromCodePoint(first + below(count))
  }

  /** Neighbours are far from each other: in other files of a font. */
  function scattered(index: number): string {
    return String.fromCodePoint(every[(index * 7919) % every.length] ?? 0x4e00)
  }
}

function textOf(pages: readonly Range[], length: number, random: ReturnType<typeof randomFrom>): AnyText {
  const hasSpaces = random.below(3) === 0
  const letters = repeated(length, () => {
    if (hasSpaces && random.below(6) === 0) return ' '
    const [first, last] = random.pick(pages)
    return String.fromCodePoint(first + random.below(last - first + 1))
  })
  const lang = random.pick(langs)
  const name = `${length} of ${pages.map(([first]) => `U+${first.toString(16)}`).join(' and ')}`
  return { name, text: cleanText(letters) || 'x', ...(lang === '' ? {} : { lang }) }
}

function repeated(count: number, make: () => string): string {
  return Array.from({ length: count }, make).join('')
}

function pointsOf([first, last]: Range): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

function isAssigned(point: number): boolean {
  return assigned.test(String.fromCodePoint(point))
}
