import { basePathOf, htmlBelow } from '../../src/http/base-path.ts'
import type { RecentRequest } from '../data/recent-requests.ts'
import { isInView, type TrafficQuery } from '../data/traffic-views.ts'
import type { AdminDeps } from '../deps.ts'
import { requestRow } from '../parts/request-table.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const streamsMax = 8
const unreadMax = 100
/** Shorter than the idle timeout of the server and of most proxies. */
const keepAliveMs = 15_000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx buffers responses otherwise.
  'x-accel-buffering': 'no',
}

/** Server-sent events: one for each finished request that passes the filters, with its table row as HTML. */
export function createTrafficEvents({
  recent,
  keyNames,
  clock,
}: Pick<AdminDeps, 'recent' | 'keyNames' | 'clock'>): (request: AdminRequest<TrafficQuery>) => Response {
  const encoder = new TextEncoder()
  let streams = 0

  /** Nobody waits for the name of a key: until it is known, rows have its id. */
  function rowOf(request: RecentRequest): string {
    keyNames.load([request.keyId]).catch(() => {})
    return requestRow(keyNames, request).html
  }

  function open(
    controller: ReadableStreamDefaultController<Uint8Array>,
    query: TrafficQuery,
    basePath: string,
  ): () => void {
    function send(text: string) {
      try {
        controller.enqueue(encoder.encode(text))
      } catch {
        // The client has disconnected, and `cancel` was not called yet.
        queueMicrotask(close)
      }
    }
    const keepAlive = setInterval(() => send(': still here\n\n'), keepAliveMs)
    let isOpen = true
    function close() {
      if (!isOpen) return
      isOpen = false
      streams--
      clearInterval(keepAlive)
      unsubscribe()
      try {
        controller.close()
      } catch {
        // The client has disconnected already.
      }
    }
    streams++
    // The headers are sent with the first bytes.
    send('retry: 3000\n\n')
    const unsubscribe = recent.subscribe({
      next(request) {
        if (!isInView(query, request, clock.now())) return
        // A client that reads too slowly is disconnected: its events would fill the memory.
        if ((controller.desiredSize ?? Number.NEGATIVE_INFINITY) < -unreadMax) close()
        else send(`data: ${htmlBelow(basePath, rowOf(request)).replaceAll('\n', ' ')}\n\n`)
      },
      end: () => queueMicrotask(close),
    })
    return close
  }

  return ({ query, context }) => {
    if (streams >= streamsMax)
      return new Response('Too many pages follow the traffic.', {
        status: 503,
        headers: { 'cache-control': 'no-store' },
      })
    let close = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        close = open(controller, query, basePathOf(context.baseUrl))
      },
      cancel: () => close(),
    })
    return new Response(body, { headers })
  }
}
