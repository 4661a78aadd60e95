import type { TSchema } from '@sinclair/typebox'
import { formats } from '../assets/formats.ts'
import type { ParameterError } from '../errors.ts'
import { formDecode } from '../lib/query-pairs.ts'
import { cleanText, countCodePoints, lengthAsWritten } from '../text/clean-text.ts'

/** What is wrong with one value; a class, so that no value can be taken for it. */
export class Wrong {
  readonly message: string
  readonly allowed: readonly string[] | undefined

  constructor(message: string, allowed?: readonly string[]) {
    this.message = message
    this.allowed = allowed
  }

  at(parameter: string): ParameterError {
    return { parameter, message: this.message, ...(this.allowed && { allowed: this.allowed }) }
  }
}

/** What was given for one field, still percent-encoded: a list, in the order in which it came, where it came again. */
export type Given = string | string[]

/** The typed value of what was given, undefined where it is as good as nothing, or what is wrong with it. */
export type FieldReader = (given: Given) => unknown

/** How a field is read, worked out once for all requests. */
export function fieldReader(field: TSchema): FieldReader {
  if (field['type'] === 'array') return listReader(field)
  const read = valueReader(field)
  return (given) => (typeof given === 'string' ? read(given) : new Wrong('is given more than once'))
}

/** That a field is required. */
export function required(field: TSchema): Wrong {
  return new Wrong(`is required: ${describeBounds(field)}`, allowedValues(field))
}

function listReader(field: TSchema): FieldReader {
  const most = Number(field['maxItems'])
  const read = valueReader(field['items'] as TSchema)
  return (given) => {
    const raw = typeof given === 'string' ? [given] : given
    if (raw.length > most) return new Wrong(`is given more than ${most} times`)
    const items = raw.map(read)
    return items.find((item) => item instanceof Wrong) ?? items
  }
}

const badEncoding = new Wrong('is not valid percent-encoded UTF-8')

function valueReader(field: TSchema): (raw: string) => unknown {
  const read = isFreeText(field) ? textReader(field) : formReader(field)
  return (raw) => {
    const value = formDecode(raw)
    return value === undefined ? badEncoding : read(value)
  }
}

/** Optional text that is empty is as good as none. */
function textReader(field: TSchema): (value: string) => unknown {
  const least = Number(field['minLength'])
  const most = Number(field['maxLength'])
  return (value) => {
    const text = cleanText(value)
    if (text === '' && least === 0) return undefined
    const drawn = countCodePoints(text)
    const length = drawn > most ? Math.min(drawn, lengthAsWritten(value)) : drawn
    return length >= least && length <= most
      ? text
      : new Wrong(`must be ${describeBounds(field)}, not ${length}`)
  }
}

function formReader(field: TSchema): (value: string) => unknown {
  const accept = acceptorOf(field)
  const wrong = new Wrong(`must be ${describeBounds(field)}`, allowedValues(field))
  return (value) => accept(value) ?? wrong
}

/** Gives the typed value, or undefined when the field does not allow it. */
function acceptorOf(field: TSchema): (value: string) => unknown {
  switch (field['type']) {
    case 'integer':
      return numberAcceptor(field, /^-?(0|[1-9]\d{0,14})$/)
    case 'number':
      return numberAcceptor(field, /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/)
    case 'boolean':
      return (value) => (booleans.includes(value) ? value === 'true' || value === '1' : undefined)
  }
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.parse ?? (() => undefined)
  const allowed = allowedValues(field)
  return (value) => (allowed?.includes(value) ? value : undefined)
}

function numberAcceptor({ minimum, maximum }: TSchema, form: RegExp): (value: string) => number | undefined {
  const [least, most] = [Number(minimum), Number(maximum)]
  return (value) => {
    const number = form.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  }
}

const booleans: readonly string[] = ['true', '1', 'false', '0']

function isFreeText(field: TSchema): boolean {
  return field['type'] === 'string' && field['enum'] === undefined && field['format'] === undefined
}

function allowedValues(field: TSchema): readonly string[] | undefined {
  return field['type'] === 'boolean' ? booleans : (field['enum'] as readonly string[] | undefined)
}

/** What a field allows, in words. */
function describeBounds(field: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength } = field
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`
  if (type === 'number') return `a number from ${minimum} to ${maximum}`
  if (isFreeText(field)) return `${minLength} to ${maxLength} characters`
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.meaning ?? format
  return `one of ${allowedValues(field)?.join(', ')}`
}
