import { Problem } from '../../errors.ts'
import { fetchProblem } from '../../web/fetch-problem.ts'
import type { Grant, ProduceContext } from '../kit/producer.ts'

type Send = (event: string, data: unknown) => void

/**
 * A response that tells of work while it is done: what `work` sends, then `done` with its result or `error` with the
 * problem. The call is given back when the work fails.
 */
export function eventStream(
  context: Pick<ProduceContext, 'baseUrl'>,
  grant: Pick<Grant, 'refund'>,
  work: (send: Send) => Promise<unknown>,
): Response {
  const encoder = new TextEncoder()
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send: Send = (event, data) => {
        if (isOpen) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      }
      try {
        send('done', await work(send))
      } catch (error) {
        await grant.refund()
        const problem = fetchProblem(error, 'domain')
        const publicProblem =
          problem instanceof Problem ? problem : new Problem('internal', 'Nothing was charged.')
        send('error', publicProblem.toJSON(context.baseUrl))
      }
      if (isOpen) controller.close()
      isOpen = false
    },
    cancel() {
      isOpen = false
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
