import type { QueryPair } from '../lib/query-pairs.ts'
import { entryOf } from './arguments.ts'
import { type ParameterRule, parameterRules } from './parameter-rules.ts'

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
  return {
    base: path.slice(0, path.length - call.length),
    asset,
    format:
      given.get('format') ??
      (extension === 'jpg' ? 'jpeg' : extension) ??
      firstOf(entryOf(parameterRules, asset)?.['format']),
  }
}

/** The first value of a choice, which is its default. */
function firstOf(rule: ParameterRule | string | undefined): string | undefined {
  return typeof rule === 'object' ? rule.oneOf?.[0] : undefined
}
