import type { Preview } from '../../../../src/assets/preview/preview.ts'
import { createPreviewService } from '../../../../src/assets/preview/preview-service.ts'
import { createWebFetcher } from '../../../../src/web/web-fetcher.ts'
import type { Check } from '../../../support/check.ts'
import { startRawServer } from '../../../web/support/raw-server.ts'

export interface SmallAnswer {
  readonly status?: number
  readonly headers?: readonly string[]
  readonly type?: string
  readonly body?: string
}

export interface SmallRequest {
  readonly path: string
  /** The whole head, as it was sent. */
  readonly head: string
  readonly cookie: string | undefined
}

/** A site on this machine and the previews of its pages. */
export async function withSmallSite(
  answer: (request: SmallRequest) => SmallAnswer | undefined,
  run: (site: {
    readonly origin: string
    readonly requests: readonly SmallRequest[]
    preview(path: string): Promise<Preview>
  }) => Promise<void>,
): Promise<void> {
  const requests: SmallRequest[] = []
  const server = await startRawServer((socket, head) => {
    const cookie = /\r\ncookie: ([^\r]*)/i.exec(head)?.[1]
    const request = { path: head.split(' ')[1] ?? '', head, cookie }
    requests.push(request)
    const given = answer(request)
    // No answer at all: the site is silent.
    if (given === undefined) return
    const { status = 200, headers = [], type = 'text/html', body = '' } = given
    const lines = [
      `HTTP/1.1 ${status} X`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${[...lines, ...headers].join('\r\n')}\r\n\r\n${body}`)
  })
  const fetching = { allowCidrs: ['127.0.0.0/8'], allowPorts: [server.port] }
  const fetcher = createWebFetcher({ userAgent: 'Test', ...fetching, limits: { headersMs: 2_000 } })
  const service = createPreviewService({ fetcher, ...fetching, now: () => Date.UTC(2026, 0, 1) })
  const origin = `http://127.0.0.1:${server.port}`
  try {
    await run({ origin, requests, preview: (path) => service.preview({ url: origin + path }) })
  } finally {
    await server.close()
  }
}

export function siteCheck(name: string, ...site: Parameters<typeof withSmallSite>): Check {
  return { name, run: () => withSmallSite(...site) }
}
