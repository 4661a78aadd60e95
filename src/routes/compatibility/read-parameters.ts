import { formDecode, queryPairs } from '../../lib/query-pairs.ts'

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
