import { type TSchema, Type } from '@sinclair/typebox'

export const string = Type.String()
export const strings = Type.Array(string)
export const count = Type.Integer({ minimum: 0 })
export const instant = Type.String({ format: 'date-time' })
export const day = Type.String({ format: 'date' })
export const webAddress = Type.String({ format: 'uri' })
export const stringsByName = Type.Record(string, string)
export const anyObject = Type.Record(string, Type.Unknown())

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export function counts<const Name extends string>(...names: readonly Name[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>)
}

export type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value
