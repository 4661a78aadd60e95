import { cardExtents } from './card-values.ts'
import { parameterForms } from './parameter-forms.ts'
import { parameterRules } from './parameter-rules.ts'

const first = '{{- /* Lists of the catalog, written by `bun run build:client`. */ -}}\n'
const last = '{{- /* End of the lists. */ -}}\n'

/** Returns the partial for Hugo with its lists of parameters and their values as the catalog has them. */
export function withHugoLists(partial: string): string {
  const [before = '', rest = ''] = partial.split(first)
  const [, after] = rest.split(last)
  if (after === undefined) throw new Error('The partial for Hugo lacks the marks of its lists.')
  return before + first + lists() + last + after
}

function lists(): string {
  const rules = Object.entries(parameterRules['og'] ?? {}).flatMap(([name, rule]) =>
    typeof rule === 'string' ? [] : [[name, rule] as const],
  )
  /** A dictionary by parameter. Hugo writes names of front matter in lower case. */
  function dict(textOf: (rule: (typeof rules)[number][1]) => string | undefined): string {
    return dictOf(rules.flatMap(([name, rule]) => pairOf(name.toLowerCase(), textOf(rule))))
  }
  const values = {
    names: dictOf(rules.map(([name]) => [name.toLowerCase(), JSON.stringify(name)])),
    choices: dict(({ oneOf }) => oneOf && slice(oneOf)),
    ranges: dict(({ range }) => range && slice(range)),
    formats: dict(({ formats }) => formats && slice(formats)),
    lengths: dict(({ chars }) => chars && String(chars[2] ?? chars[1])),
    forms: dict(({ form = '' }) => formOf(form)),
    sizes: dictOf(Object.entries(cardExtents).map(([name, extent]) => [name, slice(extent)])),
  }
  return Object.entries(values)
    .map(([name, value]) => `{{- $${name} := ${value} -}}\n`)
    .join('')
}

/** Pattern and meaning of a form. Those that Go cannot read are left to the service. */
function formOf(name: string): string | undefined {
  const [pattern, meaning = ''] = parameterForms[name] ?? []
  if (pattern === undefined || pattern.source.includes('(?!')) return undefined
  return `(slice \`${pattern.ignoreCase ? '(?i)' : ''}${pattern.source}\` ${JSON.stringify(meaning)})`
}

function pairOf(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]]
}

function dictOf(pairs: readonly (readonly [string, string])[]): string {
  return ['dict', ...pairs.map(([name, value]) => `"${name}" ${value}`)].join(' ')
}

function slice(values: readonly (string | number)[]): string {
  return `(slice ${values.map((value) => JSON.stringify(value)).join(' ')})`
}
