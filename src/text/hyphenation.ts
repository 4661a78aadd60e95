import { createRequire } from 'node:module'
import createHyphenator, { type Patterns } from 'hyphen'
import { memo } from '../lib/memo.ts'
import { packageFile } from '../lib/package-files.ts'
import { primaryLanguage } from '../lib/words.ts'
import commonWords from './data/common-words.json' with { type: 'json' }
import groupsByLanguage from './data/letter-groups.json' with { type: 'json' }
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

const commonOf: Readonly<Record<string, string>> = commonWords
/** Groups of letters that tell a language, in small letters; those of English tell that it is none of the others. */
const languages = Object.entries(groupsByLanguage).map(([language, groups]) => {
  return { language, groups: new RegExp(groups, 'g'), common: new Set(commonOf[language]?.split(' ')) }
})
const [wordWeight, scoreMin, marginMin] = [2, 3, 1]

/** The language of a text, by its commonest words and the letters of its longest word; undefined where that is not plain. */
export function guessLanguage(text: string): string | undefined {
  const words = text.toLowerCase().split(/[^\p{L}’']+/u)
  const longest = words.reduce((found, word) => (word.length > found.length ? word : found), '')
  const scores = languages.map(({ language, groups, common }) => {
    const count = words.filter((word) => common.has(word)).length
    return { language, score: wordWeight * count + (longest.match(groups)?.length ?? 0) }
  })
  const [best, second] = scores.sort((a, b) => b.score - a.score)
  if (best === undefined || best.score < scoreMin) return undefined
  return best.score - (second?.score ?? 0) >= marginMin ? best.language : undefined
}

/** Read with the first word of a language, which takes a tenth of a second. */
const patternsOf = memo(({ packageName, file }: FontFile): Patterns => {
  const path = packageFile(packageName, file)
  // Not from `import.meta.url`, which a bundle would have as a path of the machine that made it.
  return createRequire(path)(path)
})
