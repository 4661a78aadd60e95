import { SugarHigh, tokenize } from 'sugar-high/core'
import { languages } from 'sugar-high/lang'
import data from './code-languages.json' with { type: 'json' }

export type CodeKind = 'plain' | 'keyword' | 'string' | 'number' | 'name' | 'comment' | 'added' | 'removed'

export interface CodeSpan {
  readonly kind: CodeKind
  readonly text: string
}

interface Language {
  /** Other names and endings of files. */
  readonly short: string
  /** Its own signs add to those of this one. */
  readonly like?: string
  /** The signs that tell it, and how surely. */
  readonly signs: Readonly<Record<string, number>>
}

const byName: Readonly<Record<string, Language>> = data

const configs = new Map(languages.map(({ id, config }) => [id as string, config]))

/** Lines of code in spans of one kind each. The scanner reads every character about once, so a hostile text takes no longer. */
export function highlight(code: string, language: string | undefined): readonly (readonly CodeSpan[])[] {
  const name = language ?? guessLanguage(code)
  const lines: CodeSpan[][] = [[]]
  for (const { kind, text } of name === undefined
    ? [{ kind: 'plain' as const, text: code }]
    : spansOf(code, name))
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) lines.push([])
      const line = lines.at(-1)
      const last = line?.at(-1)
      if (part === '' || line === undefined) continue
      if (last !== undefined && (last.kind === kind || part.trim() === ''))
        line[line.length - 1] = { kind: last.kind, text: last.text + part }
      else line.push({ kind, text: part })
    }
  return lines
}

/** The language whose signs the code has most of; undefined where no sign is plain. */
export function guessLanguage(code: string): string | undefined {
  const scored = Object.entries(byName).map(([name, { signs, like }]) => {
    const own = scoreOf(code, signs)
    const score = own > 0 && like !== undefined ? own + scoreOf(code, byName[like]?.signs ?? {}) : own
    return { name, score }
  })
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  return best !== undefined && best.score >= scoreMin ? best.name : undefined
}

const scoreMin = 2

function scoreOf(code: string, signs: Language['signs']): number {
  return Object.entries(signs).reduce(
    (sum, [pattern, weight]) => sum + (new RegExp(pattern, 'm').test(code) ? weight : 0),
    0,
  )
}

/** Languages whose keys are what stands before a colon or in front of a value. */
const withKeys = new Set(['css', 'html', 'json', 'yaml'])

function spansOf(code: string, name: string): readonly CodeSpan[] {
  if (name === 'diff') return diffSpans(code)
  if (name === 'yaml') return yamlSpans(code)
  return scanned(code, name)
}

function scanned(code: string, name: string): readonly CodeSpan[] {
  const tokens = tokenize(code, configs.get(name))
  // A scanner that loses a character must not show less than there is.
  if (tokens.map(([, text]) => text).join('') !== code) return [{ kind: 'plain', text: code }]
  return tokens.map(([type, text], at) => {
    const next = tokens[at + 1]?.[1] ?? ''
    return { kind: kindOf(SugarHigh.TokenTypes[type] ?? '', text, next, withKeys.has(name)), text }
  })
}

function kindOf(type: string, text: string, next: string, hasKeys: boolean): CodeKind {
  if (type === 'keyword' || type === 'entity') return 'keyword'
  if (type === 'string' || type === 'comment') return type
  if (type === 'class') return /^\p{Lu}/u.test(text) ? 'name' : 'number'
  if (type === 'property' && hasKeys) return 'name'
  const isNamed = next.startsWith('(') || (hasKeys && next.startsWith(':'))
  return isNamed && /^[\p{L}_$]/u.test(text) ? 'name' : 'plain'
}

const diffSigns = [
  ['@@', 'comment'],
  ['+', 'added'],
  ['-', 'removed'],
] as const

function diffSpans(code: string): readonly CodeSpan[] {
  return code.split(/(?<=\n)/).map((text) => {
    const [, kind = 'plain'] = diffSigns.find(([sign]) => text.startsWith(sign)) ?? []
    return { kind, text }
  })
}

/** Keys may have hyphens and the words of values. */
function yamlSpans(code: string): readonly CodeSpan[] {
  return code.split(/(?<=\n)/).flatMap((line) => {
    const [start = '', before = '', key = ''] = /^(\s*(?:- )?)([\w./-]+)(?=:\s)/.exec(line) ?? []
    return [
      { kind: 'plain', text: before },
      { kind: 'name', text: key },
      ...scanned(line.slice(start.length), 'yaml'),
    ]
  })
}
