import { penalties } from './break-penalties.ts'
import terms from './data/terms.json' with { type: 'json' }

/** The ends of Korean words, with the beginnings of those that cannot stand without them: auxiliary verbs and postpositions. */
const auxiliaries: readonly (readonly [before: RegExp, after: RegExp])[] = [
  [/지[는도를]?$/, /^(?:않|말|마|못|아니)/],
  [/고$/, /^(?:있|싶|나서|나면)/],
  [/[아어여해져와워켜려쳐내러]$/, /^(?:보|봐|봤|본|볼|봅|주|줘|줬|준|줄|줍|있|버리|버렸|버린|놓|두|둔|야)/],
  [/야$/, /^(?:하|한|할|해|했|합|되|된|될|돼)/],
  [/[수적리]$/, /^(?:있|없)/],
  [/게$/, /^(?:되|된|될|돼|됐|하|한|할|해|했|만들|만든)/],
  [/려고$/, /^(?:하|한|할|해|했|합)/],
  [/[과와]$/, /^함께/],
  [/에$/, /^(?:대한|대해|관한|의한|의해|따른|따라)/],
  [/[을를]$/, /^(?:위한|위해|통한|통해)/],
]
/** Nouns of Korean that only stand behind an attribute, with a particle or an ending. */
const boundNoun =
  /^(?:때|수|것|거|건|걸|줄|데|뿐|만큼|대로|채|척|체|듯|바|적|지|법|중|동안|뒤|후|전)(?=$|[^가-힣]|[가-힣]{1,3}$)/
const hangulFirst = 0xac00
const hangulLast = 0xd7a3
/** Syllables that differ in their last consonant only. */
const finals = 28
/** Attributes end in n or l. */
const attributeFinals = new Set([4, 8])
const vietnameseWords = new Set(terms.vietnamese.split('|'))
const marksAround = /^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu

/** The penalty of a line that ends between two words, written apart, of which the second one completes the first. */
export function boundPenalty(before: string, after: string): number {
  const last = before.charCodeAt(before.length - 1)
  if (last >= hangulFirst && last <= hangulLast)
    return isBoundInKorean(before, after, last) ? penalties.bound : 0
  if (last < 0x80 && after.charCodeAt(0) < 0x80 && !beyondAscii.test(before + after)) return 0
  const word = `${before.replace(marksAround, '')} ${after.replace(marksAround, '')}`.toLowerCase()
  return vietnameseWords.has(word) ? penalties.bound : 0
}

const beyondAscii = /[^\0-\x7F]/

function isBoundInKorean(before: string, after: string, last: number): boolean {
  if (attributeFinals.has((last - hangulFirst) % finals) && boundNoun.test(after)) return true
  return auxiliaries.some(([end, start]) => end.test(before) && start.test(after))
}

const chineseTerms = terms.chinese.split(' ')

/** Offsets inside of terms of Chinese that are written as several words of the dictionary. */
export function insideTerms(text: string): ReadonlySet<number> {
  const inside = new Set<number>()
  for (const term of chineseTerms)
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length))
      for (let offset = at + 1; offset < at + term.length; offset++) inside.add(offset)
  return inside
}
