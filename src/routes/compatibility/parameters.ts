import type { Target } from '../../http/target.ts'
import { formDecode, queryPairs } from '../../lib/query-pairs.ts'

/** One decoded parameter. */
export type Parameter = readonly [name: string, value: string]

/** The URL of our own asset. Without credentials the call is a demo call. */
export function assetTarget(kind: string, parameters: readonly Parameter[]): Target {
  const names = new Set(parameters.map(([name]) => name))
  const isDemo = !names.has('key') && !names.has('demo')
  const all: Parameter[] = [['kind', kind], ...parameters, ...(isDemo ? [['demo', '1'] as const] : [])]
  const rawQuery = all.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return { path: '/api/transform', rawQuery: rawQuery.join('&') }
}

/**
 * The decoded parameters of another service's URL. A value that is not well encoded is taken as it is, and of a repeated
 * parameter the last one counts, as those services read them.
 */
export function readParameters(rawQuery: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, readonly string[]>()
  for (const { name, value } of queryPairs(rawQuery)) {
    if (name === '') continue
    const text = (formDecode(value) ?? value).toWellFormed()
    parameters.set(name, [...(parameters.get(name) ?? []), text])
  }
  return parameters
}
