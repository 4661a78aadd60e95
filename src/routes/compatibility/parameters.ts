import type { TObject } from '@sinclair/typebox'
import { fieldReader, Mistake } from '../../http/query.ts'
import type { Target } from '../../http/request-context.ts'
import { percentDecode, queryPairsAsSent } from '../../lib/query-pairs.ts'

export type ParameterPair = readonly [name: string, value: string]

export type Parameters = ReadonlyMap<string, readonly string[]>

/** A demo call unless signed: what looks like a part of a signature may get round caches elsewhere, such as `t=1700000000`. */
export function assetTarget(kind: string, parameters: readonly ParameterPair[]): Target {
  const names = new Set(parameters.map(([name]) => name))
  const isSigned = names.has('key') && names.has('sig')
  const unsigned = parameters.filter(([name]) => !signatureNames.includes(name))
  const all: readonly ParameterPair[] = isSigned
    ? [['kind', kind], ...parameters]
    : [['kind', kind], ...unsigned, ['demo', '1']]
  const rawQuery = all.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return { path: '/api/transform', rawQuery: rawQuery.join('&') }
}

const signatureNames: readonly string[] = ['key', 't', 'exp', 'sig']

/** The decoded parameters of another service's URL. None of the services reads names that were escaped for HTML. */
export function readParameters(rawQuery: string): Parameters {
  const parameters = new Map<string, readonly string[]>()
  for (const { name, value } of queryPairsAsSent(rawQuery)) {
    if (name === '') continue
    const text = decodeLeniently(value.replaceAll('+', ' ')).toWellFormed()
    parameters.set(name, [...(parameters.get(name) ?? []), text])
  }
  return parameters
}

/** Decodes percent-encoding. What is not well encoded stays as it is, as in `95%`. */
export function decodeLeniently(text: string): string {
  return percentDecode(text) ?? text.replace(/(?:%[\da-f]{2})+/gi, (run) => percentDecode(run) ?? run)
}

/** Returns a function that tells whether an asset takes a value of a parameter; or, of a signature, any. */
export function createValueCheck({ properties }: TObject): (name: string, value: string) => boolean {
  const readers = new Map(Object.entries(properties).map(([name, field]) => [name, fieldReader(field)]))
  return (name, value) => {
    const read = readers.get(name)
    if (read === undefined) return signatureNames.includes(name)
    return !(read(encodeURIComponent(value)) instanceof Mistake)
  }
}
