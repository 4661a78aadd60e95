import type { QueryPair } from '../lib/query-pairs.ts'
import { entryOf, expPlace, refuseArgument } from './arguments.ts'
import { parameterForms } from './parameter-forms.ts'
import { type ParameterRule, parameterRules } from './parameter-rules.ts'

/** Names that signing adds or that belong into another argument. */
const reserved: Readonly<Record<string, string>> = {
  exp: expPlace,
  key: 'key goes into the third argument',
  secret: 'secret goes into the third argument',
  sig: 'signing adds sig',
  t: 't belongs to signUrl',
}

/**
 * Returns the parameters of a call to `path`, with texts cut to what the service reads where `overflow=ellipsis` lets it
 * cut them. Throws a TypeError that names every mistake that the service would refuse. Without `isChecked`, parameters that
 * the rules do not know are left to the service, and so is a required one that nobody named.
 */
export function fitParameters(
  path: string,
  { asset, format }: Endpoint,
  pairs: readonly QueryPair[],
  named: object,
  isChecked: boolean,
): readonly QueryPair[] {
  const given = new Map(pairs)
  for (const [name, message] of Object.entries(reserved)) if (given.has(name)) refuseArgument(message)
  const rules = entryOf(parameterRules, asset)
  if (rules === undefined && isChecked) refuseArgument(`${path} is no endpoint`)
  if (rules === undefined) return pairs
  const isCut = given.get('overflow') === 'ellipsis'
  const mistakes = [...given.keys()].flatMap((name) =>
    isChecked && !Object.hasOwn(rules, name) && name !== 'kind' ? [`${asset} has no parameter ${name}`] : [],
  )
  const cuts = new Map<string, string>()
  for (const [name, usual] of Object.entries(rules)) {
    const rule = typeof usual === 'string' ? undefined : ruleFor(usual, name, given)
    if (typeof rule === 'string') mistakes.push(`${name} ${rule}`)
    if (rule === undefined || typeof rule === 'string') continue
    const values = pairs.flatMap(([each, value]) => (each === name || rules[each] === name ? [value] : []))
    if (values.length === 0 && !(rule.isRequired && (isChecked || name in named))) continue
    const text = drawn(values[0] ?? '')
    const mistake = mistakeIn(rule, values, text, `${format}`, isCut)
    if (mistake) mistakes.push(`${name} ${mistake}`)
    const max = rule.chars?.[2] ?? rule.chars?.[1]
    if (max && text.length > max) cuts.set(name, `${text.slice(0, max - 1).join('')}…`)
  }
  if (mistakes.length > 0) refuseArgument(mistakes.join('; '))
  return pairs.map(([name, value]) => [name, cuts.get(name) ?? value])
}

/** The rule of a parameter with the template of the card; undefined without one that has it, a mistake beside another one. */
function ruleFor(
  usual: ParameterRule,
  name: string,
  given: ReadonlyMap<string, string>,
): ParameterRule | string | undefined {
  const [changes = {}, isOwn] = usual.by ?? []
  const template = given.get('template') ?? 'standard'
  const own = entryOf(changes, template)
  if (own || !isOwn) return { ...usual, ...own }
  return template === 'standard' || !given.get(name)
    ? undefined
    : `is only for template ${Object.keys(changes).join(', ')}`
}

function mistakeIn(
  { chars, oneOf, form, range, formats, timesMax = 1 }: ParameterRule,
  values: readonly string[],
  text: readonly string[],
  format: string,
  isCut: boolean,
): string | undefined {
  const [value = ''] = values
  if (values.length > timesMax) return `is given ${values.length} times`
  if (chars && (text.length < chars[0] || (text.length > chars[1] && !isCut)))
    return `must be ${chars[0]} to ${chars[1]} characters, not ${text.length}`
  if (oneOf && !oneOf.includes(value)) return `must be one of ${oneOf.join(', ')}, not ${value}`
  const [pattern, meaning] = (form && parameterForms[form]) || []
  const wrong = pattern && [value, ...values].find((each) => !pattern.test(each))
  if (wrong !== undefined) return `must be ${meaning}, not ${wrong.slice(0, 40)}`
  const [min = 0, max = 0, isInteger] = range ?? []
  const isNumber = /^(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(value) && !(isInteger && value.includes('.'))
  if (range && !(isNumber && +value >= min && +value <= max))
    return `must be ${isInteger ? 'an integer' : 'a number'} from ${min} to ${max}, not ${value}`
  if (formats && !formats.includes(format)) return `is only for format ${formats.join(', ')}`
  return undefined
}

/** The characters of a text: code points of what the service draws, without controls and runs of spaces. */
function drawn(text: string): string[] {
  return [
    ...text
      .normalize()
      .replace(/\s+/g, ' ')
      .replace(/[\p{Cc}\u202A-\u202E]/gu, '')
      .trim(),
  ]
}

/** The parts of an endpoint: `/mint/api/og.png` is the asset `og` as a PNG, of a service at `/mint`. */
export interface Endpoint {
  /** The path of the service. */
  readonly base: string
  /** The asset's id, which may be none that the rules know. */
  readonly asset: string
  readonly format: string | undefined
}

/** At `/api/transform` the parameter `kind` says which asset it is. */
export function readEndpoint(path: string, pairs: readonly QueryPair[]): Endpoint {
  const given = new Map(pairs)
  const [call = '', word = '', extension] = /\/api\/(\w+)(?:\.(\w+))?$/.exec(path) ?? []
  const asset = entryOf(parameterRules, word) ? word : `${given.get('kind')}`
  const formats = entryOf(parameterRules, asset)?.['format']
  return {
    base: path.slice(0, path.length - call.length),
    asset,
    format:
      given.get('format') ??
      (extension === 'jpg' ? 'jpeg' : extension) ??
      // The first value of the choice is its default.
      (typeof formats === 'object' ? formats.oneOf?.[0] : undefined),
  }
}
