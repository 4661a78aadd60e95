import type { RecentRequests } from '../data/recent-requests.ts'
import { requestRow } from '../pages/traffic.tsx'

const streamsMax = 8
const unreadMax = 100
/** Shorter than the server's and most proxies' idle time. */
const keepAliveMs = 15_000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies of the nginx kind would hold events back.
  'x-accel-buffering': 'no',
}

/** Each finished request as one server-sent event that holds its table row. */
export function createTrafficEvents(recent: RecentRequests): () => Response {
  const encoder = new TextEncoder()
  let streams = 0

  function open(controller: ReadableStreamDefaultController<Uint8Array>): () => void {
    function send(text: string) {
      try {
        controller.enqueue(encoder.encode(text))
      } catch {
        // The reader has gone, and nobody has said so yet.
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
      unfollow()
      try {
        controller.close()
      } catch {
        // The reader has gone already.
      }
    }
    streams++
    // The first bytes send the head on its way.
    send('retry: 3000\n\n')
    const unfollow = recent.subscribe({
      next(request) {
        // A reader that does not keep up is dropped rather than buffered for.
        if ((controller.desiredSize ?? Number.NEGATIVE_INFINITY) < -unreadMax) close()
        else send(`data: ${requestRow(request).html.replaceAll('\n', ' ')}\n\n`)
      },
      end: () => queueMicrotask(close),
    })
    return close
  }

  return () => {
    if (streams >= streamsMax)
      return new Response('Too many pages follow the traffic.', {
        status: 503,
        headers: { 'cache-control': 'no-store' },
      })
    let close = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        close = open(controller)
      },
      cancel: () => close(),
    })
    return new Response(body, { headers })
  }
}
