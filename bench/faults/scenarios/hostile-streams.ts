import type { Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel, repeat } from '../support/ask.ts'
import { notFound, plainAnswer, startSite } from '../support/site.ts'

const page = '<!doctype html><title>Harbour news</title><meta name="description" content="A page.">'

/** A gzip header may carry a file name of any length; this one is as long as the reader must bear. */
const longHeader = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
  Buffer.alloc(262_000, 97),
])

/** Bodies that come a byte at a time, each in a chunk of its own, by what reads them. */
const slowBodies: Readonly<Record<string, { readonly headers: string; readonly body: Uint8Array }>> = {
  'a gzip header without end': { headers: 'Content-Encoding: gzip\r\n', body: longHeader },
  'a gzip body': { headers: 'Content-Encoding: gzip\r\n', body: gzipSync(noise(60_000)) },
  'a brotli body': { headers: 'Content-Encoding: br\r\n', body: brotliCompressSync(noise(60_000)) },
  'a page': { headers: '', body: Buffer.from(page + noise(120_000)) },
  'a page of another charset': {
    headers: '',
    body: Buffer.from(`<meta charset="shift_jis">${page}${noise(100_000)}`),
  },
  'JSON-LD': {
    headers: '',
    body: Buffer.from(`<script type="application/ld+json">{"a":"${noise(100_000)}`),
  },
  'one tag without end': { headers: '', body: Buffer.from(`<p a="${noise(100_000)}`) },
}

/** No reader of a stream does again for each byte what it did for all before. */
export const oneByteChunks: Scenario = {
  name: 'one-byte-chunks',
  title: 'streams in chunks of one byte',
  tried: 'pages, compressed bodies and a gzip header without end, each byte a chunk of its own',
  bounds: { stallMsMax: 250 },
  async run(context) {
    const all = Object.values(slowBodies)
    const site = await startSite(context, ({ path, socket }) => {
      const body = all[Number(path.slice(1))]
      if (body === undefined) socket.end(notFound)
      else sendInBytes(socket, body.headers, body.body)
    })
    const server = await context.startServer({ env: { LOG_LEVEL: 'error', ...site.env } })
    const chosen = context.isQuick ? all.slice(0, 2) : all
    for (const [index, { body }] of chosen.entries()) {
      await ask(
        context,
        `${server.url}/api/transform?kind=preview&url=${encodeURIComponent(site.url(`/${index}`))}&demo=1`,
        { expected: [200, 502, 504] },
      )
      context.count('streams')
      context.count('bytes', body.length)
    }
  },
}

function noise(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(97 + ((index * index * 7) % 25))).join('')
}

function sendInBytes(socket: Socket, headers: string, body: Uint8Array): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`)
  const chunks = Buffer.alloc(body.length * 6, '1\r\n?\r\n')
  for (const [index, byte] of body.entries()) chunks[index * 6 + 3] = byte
  socket.end(Buffer.concat([chunks, Buffer.from('0\r\n\r\n')]))
}

/** A brotli decoder allocates a window for each body, and the body chooses its size. */
export const brotliWindows: Scenario = {
  name: 'brotli-windows',
  title: 'brotli bodies with the largest window',
  tried: 'previews at once of pages of a few bytes that fill the largest window',
  bounds: { memoryMbMax: 250 },
  async run(context) {
    const body = windowFiller()
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n`
    const answer = Buffer.concat([Buffer.from(head), body])
    const site = await startSite(context, ({ socket }) => void socket.end(answer))
    const env = { LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1/32', ...site.env }
    const server = await context.startServer({ env })
    await inParallel(context.times(192, 64), 64, async (index) => {
      const url = encodeURIComponent(site.url(`/${index}`, `w${index}.example.com`))
      await ask(context, `${server.url}/api/transform?kind=preview&url=${url}&demo=1`, {
        headers: { 'x-forwarded-for': `198.51.100.${index % 250}` },
        expected: [200, 502, 503, 504],
      })
      context.count('bodies')
    })
  },
}

/** Some bytes that mean more blanks than the largest window holds. */
function windowFiller(): Uint8Array {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  const blanks = Buffer.alloc(1.2 * 2 ** constants.BROTLI_MAX_WINDOW_BITS, ' ')
  return brotliCompressSync(Buffer.concat([Buffer.from('<title>Hello</title>'), blanks]), { params })
}

/** Sites that answer slowly keep their slots until their time is over, and all lie at one address: others are served behind them. */
export const dripServers: Scenario = {
  name: 'drip-servers',
  title: 'sites that answer byte by byte',
  tried: 'two addresses ask for sites that drip, while others ask for sites that answer',
  async run(context) {
    const site = await startSite(context, ({ host, socket }) => {
      if (!host.startsWith('drip')) return void socket.end(plainAnswer('text/html', page))
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n')
      const timer = setInterval(() => socket.write('1\r\na\r\n'), 500)
      socket.on('close', () => clearInterval(timer))
    })
    const env = { LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1/32', ...site.env }
    const server = await context.startServer({ env })
    function preview(url: string, address: string) {
      return ask(context, `${server.url}/api/transform?kind=preview&url=${encodeURIComponent(url)}&demo=1`, {
        headers: { 'x-forwarded-for': address },
      })
    }
    let asked = 0
    const greedy = repeat(context.times(256, 160), async () => {
      const index = asked++
      context.count('previews of sites that drip')
      await preview(site.url('/', `drip${index}.example.com`), `192.0.2.${1 + (index % 2)}`)
    })
    await Bun.sleep(1500)
    const honest = context.times(24, 12)
    await inParallel(honest, honest, async (index) => {
      context.count('honest previews')
      const answer = await preview(site.url('/', `good${index}.example.com`), `198.51.100.${index}`)
      if (answer?.status !== 200) context.mistake(`an honest preview was answered ${answer?.status}`)
      else if (answer.ms > 20_000) context.mistake('an honest preview waited longer than queues allow')
    })
    await greedy.stop()
  },
}
