import type { QueryPair } from '../lib/query-pairs.ts'
import { entryOf, expPlace, refuseArgument } from './arguments.ts'
import type { Endpoint } from './endpoint.ts'
import { parameterForms } from './parameter-forms.ts'
import { type ParameterRule, parameterRules } from './parameter-rules.ts'

/** Names that signing adds or that belong into another argument. */
const reserved: Readonly<Record<string, string>> = {
  exp: expPlace,
  key: 'key goes into the third argument: { key, secret }',
  secret: 'secret goes into the third argument: { key, secret }',
  sig: 'sig is added by signing',
  t: 't belongs to signUrl; a signed address has exp',
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
  if (rules === undefined && isChecked) refuseArgument(`${path} is no endpoint that draws or reads`)
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

/** The rule of a parameter beside the others; undefined where they make it none, a mistake where they do not let it be. */
function ruleFor(
  usual: ParameterRule,
  name: string,
  given: ReadonlyMap<string, string>,
): ParameterRule | string | undefined {
  const [parameter = '', rules = {}, ignoredWith] = usual.by ?? []
  const value = given.get(parameter) ?? ignoredWith ?? ''
  const own = entryOf(rules, value)
  if (own !== undefined || ignoredWith === undefined) return own ?? usual
  return value === ignoredWith || !given.get(name)
    ? undefined
    : `is a parameter of ${Object.keys(rules)
        .map((each) => `${parameter}=${each}`)
        .join(', ')}, not of ${parameter}=${value}`
}

function mistakeIn(
  { chars, oneOf, form, range, isInteger, formats, timesMax = 1 }: ParameterRule,
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
  if (range && !isWithin(range, isInteger, value))
    return `must be ${isInteger ? 'an integer' : 'a number'} from ${range.join(' to ')}, not ${value}`
  if (formats && !formats.includes(format)) return `is only for format ${formats.join(', ')}`
  return undefined
}

function isWithin([min, max]: readonly [number, number], isInteger: unknown, value: string): boolean {
  return (
    (isInteger ? /^(0|[1-9]\d{0,14})$/ : /^(0|[1-9]\d{0,14})(\.\d{1,15})?$/).test(value) &&
    +value >= min &&
    +value <= max
  )
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
