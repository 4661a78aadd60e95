import type { FontFile } from './coverage/lookup.ts'
import { readFontFileSync } from './font-files.ts'
import { hyphenationFiles } from './hyphenation-files.ts'
import type { TextSteps } from './steps.ts'

/** A tree of letters: a number is the index of the levels of a pattern that ends there. */
type Tree = { readonly [letter: string]: Node }
type Node = number | Tree | readonly [Tree, number]
type Patterns = readonly [levels: readonly (readonly number[])[], tree: Tree]

/** Letters that stay together at the start and at the end of a word. */
const [startMin, endMin] = [3, 3]

/** Offsets into a word at which a syllable of it starts, by the patterns of its language; none for other languages. */
export function* syllableStarts(word: string, lang: string | undefined): TextSteps<readonly number[]> {
  const language = lang?.slice(0, lang.search(/-|$/)).toLowerCase() ?? ''
  const file = hyphenationFiles[language]
  if (file === undefined) return []
  const levels = levelsOf(word.toLowerCase(), yield* patternsOf(language, file))
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

const known = new Map<string, Patterns>()
const reading = new Map<string, Generator<undefined, Patterns>>()

/** Reads the patterns of a language once. A drawing that begins again goes on where the last one stopped reading. */
function* patternsOf(language: string, file: FontFile): TextSteps<Patterns> {
  for (;;) {
    const found = known.get(language)
    if (found !== undefined) return found
    const steps = reading.get(language) ?? readPatterns(file)
    reading.set(language, steps)
    const step = steps.next()
    if (step.done === true) known.set(language, step.value)
    else yield
  }
}

/**
 * The package has its data as a literal of JavaScript, whose keys are letters without quotation marks: the levels, then
 * the tree, in which a line with four spaces before its key starts the branch of a letter. A branch is read in a step,
 * because the whole takes a tenth of a second.
 */
function* readPatterns(file: FontFile): Generator<undefined, Patterns> {
  const source = new TextDecoder().decode(readFontFileSync(file))
  const [levelsAt, treeAt] = [
    source.indexOf('[', source.indexOf('(this, [') + '(this, ['.length),
    source.indexOf('\n  {'),
  ]
  const levels = JSON.parse(source.slice(levelsAt, source.lastIndexOf(',', treeAt)))
  const tree = source.slice(treeAt, source.indexOf('\n  }', treeAt))
  yield
  const branches: Record<string, Node> = {}
  for (const branch of tree.split(/,?\n {4}(?=[^\s}\]])/).slice(1)) {
    Object.assign(branches, JSON.parse(`{${branch.replace(/(?<!\p{L})\p{L}+(?=:)/gu, '"$&"')}}`))
    yield
  }
  return [levels, branches]
}
