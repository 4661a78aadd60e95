import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { prometheusType } from '../assets/stats/prometheus.ts'
import { Problem } from '../errors.ts'
import { arrivalHeader, arrivalOf } from '../http/base-path.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { json } from '../http/responses.ts'
import { operation } from '../site/openapi/operation.ts'
import type { StoreCheck } from '../store/store-health.ts'

/** Alive: the process answers. No I/O, so that a slow disk gets nobody restarted. */
export function healthz() {
  return new Elysia({ name: 'healthz' }).get(
    '/healthz',
    ({ request }) => {
      const arrival = arrivalOf(contextOf(request))
      return json({ status: 'ok' }, arrival === undefined ? {} : { [arrivalHeader]: arrival })
    },
    operation('machines', 'healthz', 'Alive: the process answers.', { schema: 'Health' }),
  )
}

export interface Readiness {
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

/** `GET /metrics`: for Prometheus, with the token or from this machine. To anybody else it is not there. */
export function metricsRoute(token: string | undefined, metrics: () => Promise<string>) {
  const summary = 'Counters for Prometheus; from this machine, or with the token as a bearer.'
  const headers = { 'content-type': prometheusType, 'cache-control': 'no-store' }
  return new Elysia({ name: 'metrics' }).get(
    '/metrics',
    async ({ request }) => {
      const context = contextOf(request)
      if (!isLocal(context) && !hasToken(context, token))
        throw new Problem('not_found', 'There is nothing at this path.')
      return new Response(await metrics(), { headers })
    },
    operation('machines', 'metrics', summary, { mediaType: 'text/plain', problems: ['not_found'] }),
  )
}

/** A proxy on this machine that nobody told us of speaks for others: its requests are not local. */
function isLocal({ clientAddress, request: { headers } }: RequestContext): boolean {
  const forwarded = headers.has('x-forwarded-for') || headers.has('forwarded') || headers.has('x-real-ip')
  return !forwarded && /^(?:::ffff:)?127\.|^::1$/.test(clientAddress)
}

function hasToken({ request }: RequestContext, token: string | undefined): boolean {
  if (token === undefined) return false
  const offered = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(offered), digest(token))
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
