import { Elysia } from 'elysia'
import { Problem } from '../errors.ts'
import { json } from '../http/json.ts'

export interface Readiness {
  /** True from the moment that the process was asked to stop. */
  readonly draining: () => boolean
  readonly checkStore: () => { readonly ok: true } | { readonly ok: false; readonly problem: string }
}

/** Ready for traffic: the store answers, its tables are of this version, and we are not stopping. */
export function readyz({ draining, checkStore }: Readiness) {
  return new Elysia({ name: 'readyz' }).get('/readyz', () => {
    const retry = { headers: { 'retry-after': '5' } }
    if (draining()) throw new Problem('not_ready', 'The service is stopping.', retry)
    const store = checkStore()
    if (!store.ok) throw new Problem('not_ready', `The store is not ready: ${store.problem}.`, retry)
    return json({ status: 'ready' })
  })
}
