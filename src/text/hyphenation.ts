import type { FontFile } from './coverage/lookup.ts'
import { readFontFileSync } from './font-files.ts'
import { hyphenationFiles } from './hyphenation-files.ts'

/** A tree of letters: a number is the index of the levels of a pattern that ends there. */
type Tree = { readonly [letter: string]: Node }
type Node = number | Tree | readonly [Tree, number]
type Patterns = readonly [levels: readonly (readonly number[])[], tree: Tree]

/** Letters that stay together at the start and at the end of a word. */
const [startMin, endMin] = [3, 3]
const patterns = new Map<string, Patterns>()

/** Offsets into a word at which a syllable of it starts, by the patterns of its language; none for other languages. */
export function syllableStarts(word: string, lang: string | undefined): readonly number[] {
  const language = lang?.slice(0, lang.search(/-|$/)).toLowerCase() ?? ''
  const file = hyphenationFiles[language]
  if (file === undefined) return []
  const known = patterns.get(language) ?? readPatterns(file)
  patterns.set(language, known)
  const levels = levelsOf(word.toLowerCase(), known)
  return levels.flatMap((level, at) =>
    level % 2 === 1 && at >= startMin && at <= word.length - endMin ? [at] : [],
  )
}

/** Liang's levels: a syllable may start where one is odd. */
function levelsOf(word: string, [levels, tree]: Patterns): readonly number[] {
  const dotted = `.${word}.`
  const found = new Array<number>(word.length + 1).fill(0)
  for (let start = 0; start < dotted.length; start++) {
    let branch: Tree | undefined = tree
    for (let at = start; branch !== undefined && at < dotted.length; at++) {
      const node: Node | undefined = branch[dotted.charAt(at)]
      const [next, index] = partsOf(node)
      // The levels of a pattern begin before its first letter, of which the dot at the start is none.
      const first = Math.max(0, start - 1)
      for (const [offset, level] of (index === undefined ? [] : (levels[index] ?? [])).entries())
        found[first + offset] = Math.max(found[first + offset] ?? 0, level)
      branch = next
    }
  }
  return found.slice(0, word.length)
}

function partsOf(node: Node | undefined): readonly [Tree | undefined, number | undefined] {
  if (typeof node === 'number') return [undefined, node]
  return Array.isArray(node) ? [node[0], node[1]] : [node as Tree | undefined, undefined]
}

/** The package has its data as a literal of JavaScript, whose keys are letters without quotation marks. */
function readPatterns(file: FontFile): Patterns {
  const source = new TextDecoder().decode(readFontFileSync(file))
  const literal = source.slice(source.indexOf('(this, ') + '(this, '.length, source.lastIndexOf(')'))
  return JSON.parse(literal.replace(/(?<!\p{L})\p{L}+(?=:)/gu, '"$&"'))
}
