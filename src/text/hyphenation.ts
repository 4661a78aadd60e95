import { createRequire } from 'node:module'
import createHyphenator, { type Patterns } from 'hyphen'
import { packageFile } from '../lib/package-files.ts'
import type { FontFile } from './coverage/lookup.ts'
import { hyphenationFiles } from './hyphenation-files.ts'

/** Letters that stay together at the start and at the end of a word. */
const [startMin, endMin] = [3, 3]
const softHyphen = '\u00AD'

const patternsByLanguage = new Map<string, Patterns>()

/** Offsets into a word at which a syllable of it starts, by the patterns of its language; none for other languages. */
export function syllableStarts(word: string, lang: string | undefined): readonly number[] {
  const language = lang?.slice(0, lang.search(/-|$/)).toLowerCase() ?? ''
  const file = hyphenationFiles[language]
  if (file === undefined) return []
  const [levels, tree, exceptions] = patternsOf(language, file)
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

/** Read with the first word of a language, which takes a tenth of a second. */
function patternsOf(language: string, { packageName, file }: FontFile): Patterns {
  const patterns: Patterns =
    patternsByLanguage.get(language) ?? createRequire(import.meta.url)(packageFile(packageName, file))
  patternsByLanguage.set(language, patterns)
  return patterns
}
