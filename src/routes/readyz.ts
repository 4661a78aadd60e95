import { Elysia } from 'elysia'
import { Problem } from '../errors.ts'
import { json } from '../http/json.ts'
import { operation } from '../site/openapi/operation.ts'
import type { StoreCheck } from '../store/store-health.ts'

export interface Readiness {
  /** True from the moment that the process was asked to stop. */
  readonly draining: () => boolean
  readonly probeStore: () => Promise<StoreCheck>
  /** Is told what is wrong with the store, for the log: the answer names no files. */
  readonly onProblem: (problem: string) => void
}

/** Ready for traffic: the store takes a write, its tables are of this version, and we are not stopping. */
export function readyz({ draining, probeStore, onProblem }: Readiness) {
  async function answer() {
    const retry = { headers: { 'retry-after': '5' } }
    if (draining()) throw new Problem('not_ready', 'The service is stopping.', retry)
    const store = await probeStore()
    if (!store.ok) {
      onProblem(store.problem)
      throw new Problem('not_ready', `The store is not ready: ${store.summary}.`, retry)
    }
    return json({ status: 'ready' })
  }
  const summary = 'Ready: the store answers and the service is not stopping.'
  const described = operation('machines', 'readyz', summary, { schema: 'Health', problems: ['not_ready'] })
  return new Elysia({ name: 'readyz' }).get('/readyz', answer, described)
}
