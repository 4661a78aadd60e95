import type { QueryPair } from '../lib/query-pairs.ts'
import { entryOf } from './arguments.ts'
import { parameterRules } from './parameter-rules.ts'

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
