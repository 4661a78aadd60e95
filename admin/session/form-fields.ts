import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { acceptorOf } from '../../src/http/query.ts'
import { utcDay } from '../../src/lib/clock.ts'

/** A password is compared as it was typed, with its spaces. */
export const typedPassword = Type.String({ format: 'password' })

export function dayField(mistake: string) {
  return Type.Unsafe<number>({ type: 'string', format: 'date', mistake })
}

/**
 * Decodes a form, or the query of a page that leads to one, by a schema. A field with a `mistake`, a sentence for the
 * operator, refuses what it does not allow. Without one, a longer text is cut and any other wrong value counts as missing.
 * Only the first value of a repeated field counts.
 */
export function decodeForm<Fields extends TObject>(fields: Fields, sent: URLSearchParams) {
  const value: Record<string, unknown> = {}
  let mistake: string | undefined
  for (const [name, field] of Object.entries(fields.properties)) {
    const given = read(field, sent.getAll(name))
    if (given === wrong) mistake ??= field['mistake']
    const decoded = given === wrong || given === undefined ? field['default'] : given
    if (decoded !== undefined) value[name] = decoded
  }
  return { value: value as Static<Fields>, mistake }
}

const wrong = Symbol('wrong')

function read(field: TSchema, values: readonly string[]): unknown {
  const { type, format, maxLength, maxItems } = field
  if (type === 'array') return values.slice(0, maxItems)
  if (format === 'password') return values[0]
  const text = (values[0] ?? '').trim()
  if (text === '') return undefined
  if (format === 'date') return dayOf(text) ?? wrong
  if (type !== 'string' || format !== undefined || field['enum'] !== undefined)
    return acceptorOf(field)(text) ?? wrong
  return text.length > maxLength && field['mistake'] !== undefined ? wrong : text.slice(0, maxLength)
}

function dayOf(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : utcDay(ms)
}
