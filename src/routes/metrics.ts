import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { prometheusType } from '../assets/stats/prometheus.ts'
import { Problem } from '../errors.ts'
import { contextOf, type RequestContext } from '../http/request-context.ts'
import { operation } from '../site/openapi/operation.ts'

interface MetricsDeps {
  /** Opens the page beyond this machine; undefined: nothing does. */
  readonly token: string | undefined
  /** The page, in the Prometheus text format. */
  readonly metrics: () => Promise<string>
}

/** `GET /metrics`: for Prometheus, with the token or from this machine. To anybody else it is not there. */
export function metricsRoute({ token, metrics }: MetricsDeps) {
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
