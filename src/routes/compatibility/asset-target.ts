import type { Target } from '../../http/target.ts'

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
