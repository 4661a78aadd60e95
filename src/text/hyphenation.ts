import { createRequire } from 'node:module'
import createHyphenator, { type Patterns } from 'hyphen'
import { memo } from '../lib/memo.ts'
import { packageFile } from '../lib/package-files.ts'
import { primaryLanguage } from '../lib/words.ts'
import commonWords from './data/common-words.json' with { type: 'json' }
import { type FontFile, hyphenationFiles } from './font-files.ts'

/** Letters that stay together at the start and at the end of a word. */
const [startMin, endMin] = [3, 3]
const softHyphen = '\u00AD'

/** Offsets into a word at which a syllable of it starts, by the patterns of its language; none for other languages. */
export function syllableStarts(word: string, lang: string | undefined): readonly number[] {
  const file = hyphenationFiles[primaryLanguage(lang)]
  if (file === undefined) return []
  const [levels, tree, exceptions] = patternsOf(file)
  // A hyphenator adds every word to its exceptions, and keeps it for ever: this one is for one word.
  const hyphenate = createHyphenator([levels, tree, { ...exceptions }], {
    hyphenChar: softHyphen,
    html: false,
  })
  const starts: number[] = []
  let at = 0
  for (const syllable of hyphenate(word.toLowerCase()).split(softHyphen)) {
    if (at >= startMin && at <= word.length - endMin) starts.push(at)
    at += syllable.length
  }
  return starts
}

/** Groups of letters that tell a language, in small letters; those of English tell that it is none of the others. */
const letterGroups: Readonly<Record<string, RegExp>> = {
  de: /ierung|keit|schaft|lich|sch|ung(?:s|en)?|heit|ß|ä|ö|ü|pf|tz|zw|isier|icht|wick/g,
  nl: /heid|lijk|aa|ij|oo|uu|ee|oe|schap|ing(?:s|en)|eid|eur|ui|ver/g,
  da: /æ|ø|å|hed|skab|else|ing|ser|dv|forord/g,
  sv: /ä|å|ö|het|skap|ning|ings|sjuk|kning|veck|isat|nst/g,
  fi: /ä|ö|aa|ii|uu|yy|nen|sta|ssa|lla|kk|tt|uo|ie|ys|us$/g,
  hu: /ő|ű|á|é|í|ú|sz|gy|zs|cs|ny|tt|nak|nek|ek/g,
  en: /tion|ment|ness|th|ck|ght|ous|ity|ism|able|iz|ph|sh|ea|sys|log|chr/g,
  fr: /eau|eux|tion|ment|quo|que|ç|é|è|ê|oi|ou|ais/g,
  es: /ción|dad|ó|ñ|miento|mente|ía|ado|aje/g,
  it: /zione|mente|tà|ità|zz|gli|cch|ggi/g,
  pl: /ł|ą|ę|ś|ć|ż|rz|cz|szcz|owi|ość/g,
}
const [wordWeight, scoreMin, marginMin] = [2, 3, 1]

/** The language of a text, by its commonest words and the letters of its longest word; undefined where that is not plain. */
export function guessLanguage(text: string): string | undefined {
  const words = text.toLowerCase().split(/[^\p{L}’']+/u)
  const longest = words.reduce((found, word) => (word.length > found.length ? word : found), '')
  const scores = Object.entries(letterGroups).map(([language, groups]) => {
    const common = commonWordsOf(language)
    const count = words.filter((word) => common.has(word)).length
    return { language, score: wordWeight * count + (longest.match(groups)?.length ?? 0) }
  })
  const [best, second] = scores.sort((a, b) => b.score - a.score)
  if (best === undefined || best.score < scoreMin) return undefined
  return best.score - (second?.score ?? 0) >= marginMin ? best.language : undefined
}

function commonWordsOf(language: string): ReadonlySet<string> {
  const lists: Readonly<Record<string, string>> = commonWords
  return new Set(lists[language]?.split(' '))
}

/** Read with the first word of a language, which takes a tenth of a second. */
const patternsOf = memo(({ packageName, file }: FontFile): Patterns => {
  const path = packageFile(packageName, file)
  // Not from `import.meta.url`, which a bundle would have as a path of the machine that made it.
  return createRequire(path)(path)
})
