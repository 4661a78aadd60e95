import type { TSchema } from '@sinclair/typebox'
import { formats } from '../assets/kit/formats.ts'
import type { ParameterError } from '../errors.ts'
import { allowedValues, longerOf } from '../lib/fields.ts'
import { formDecode } from '../lib/query-pairs.ts'
import { cleanText, countCodePoints, lengthAsWritten } from '../text/clean-text.ts'

/** The error of one parameter's value. A class, because `instanceof` tells it from every value that a field can have. */
export class Mistake {
  readonly error: Omit<ParameterError, 'parameter'>

  constructor(message: string, allowed?: readonly string[]) {
    this.error = { message, ...(allowed && { allowed }) }
  }
}

/** The raw value of a parameter, still percent-encoded; all of them in their order if the query has it repeatedly. */
export type Given = string | string[]

/** Returns the typed value, undefined for an empty optional text, or a `Mistake`. */
export type FieldReader = (given: Given) => unknown

/** Returns the reader of a field. It is made once for all requests, because it looks into the schema. */
export function fieldReader(field: TSchema): FieldReader {
  if (field['type'] === 'array') return listReader(field)
  const read = valueReader(field)
  return (given) => (typeof given === 'string' ? read(given) : new Mistake('is given more than once'))
}

/** Returns the reader that holds where another parameter lets the text be longer; undefined for a field without such a bound. */
export function longerReader(field: TSchema): FieldReader | undefined {
  const longer = longerOf(field)
  return longer && fieldReader({ ...field, maxLength: longer.maxLength, longer: undefined })
}

/** The error for a required field that the query does not have. */
export function required(field: TSchema): Mistake {
  return new Mistake(`is required: ${describeBounds(field)}`, allowedValues(field))
}

function listReader(field: TSchema): FieldReader {
  const itemsMax = Number(field['maxItems'])
  const read = valueReader(field['items'] as TSchema)
  return (given) => {
    const raw = typeof given === 'string' ? [given] : given
    if (raw.length > itemsMax) return new Mistake(`is given more than ${itemsMax} times`)
    const items = raw.map(read)
    return items.find((item) => item instanceof Mistake) ?? items
  }
}

const badEncoding = new Mistake('is not valid percent-encoded UTF-8')

function valueReader(field: TSchema): (raw: string) => unknown {
  const read = isFreeText(field) ? textReader(field) : formReader(field)
  return (raw) => {
    const value = formDecode(raw)
    return value === undefined ? badEncoding : read(value)
  }
}

/** Free text is cleaned before it is measured. An empty optional text counts as missing. */
function textReader(field: TSchema): (value: string) => unknown {
  const lengthMin = Number(field['minLength'])
  const lengthMax = Number(field['maxLength'])
  const longer = longerOf(field)
  const hint = longer ? `; ${longer.parameter}=${longer.value} takes up to ${longer.maxLength}` : ''
  return (value) => {
    const text = cleanText(value)
    if (text === '' && lengthMin === 0) return undefined
    const drawn = countCodePoints(text)
    const length = drawn > lengthMax ? Math.min(drawn, lengthAsWritten(value)) : drawn
    return length >= lengthMin && length <= lengthMax
      ? text
      : new Mistake(`must be ${describeBounds(field)}, not ${length}${hint}`)
  }
}

function formReader(field: TSchema): (value: string) => unknown {
  const accept = acceptorOf(field)
  const usual = new Mistake(`must be ${describeBounds(field)}`, allowedValues(field))
  const format = formats[String(field['format'])]
  function mistakeOf(value: string): Mistake {
    const message = format?.mistake?.(value)
    return message === undefined ? usual : new Mistake(message)
  }
  return (value) => accept(value) ?? mistakeOf(value)
}

/** Returns a function from text to the typed value; undefined for text that the field does not allow. */
export function acceptorOf(field: TSchema): (value: string) => unknown {
  switch (field['type']) {
    case 'integer':
      return numberAcceptor(field, /^-?(0|[1-9]\d{0,14})$/)
    case 'number':
      return numberAcceptor(field, /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/)
    case 'boolean':
      return (value) =>
        allowedValues(field)?.includes(value) ? value === 'true' || value === '1' : undefined
  }
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.parse ?? (() => undefined)
  const allowed = allowedValues(field)
  return (value) => (allowed?.includes(value) ? value : undefined)
}

function numberAcceptor({ minimum, maximum }: TSchema, form: RegExp): (value: string) => number | undefined {
  return (value) => {
    const number = form.test(value) ? Number(value) : Number.NaN
    return number >= minimum && number <= maximum ? number : undefined
  }
}

function isFreeText(field: TSchema): boolean {
  return field['type'] === 'string' && field['enum'] === undefined && field['format'] === undefined
}

/** Describes the allowed values of a field, for messages and the reference. */
export function describeBounds(field: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength } = field
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`
  if (type === 'number') return `a number from ${minimum} to ${maximum}`
  if (isFreeText(field)) return `${minLength} to ${maxLength} characters`
  const format: unknown = field['format']
  if (typeof format === 'string') return formats[format]?.meaning ?? format
  return `one of ${allowedValues(field)?.join(', ')}`
}
