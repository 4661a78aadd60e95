import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { createPreviewService } from '../../../src/assets/preview/preview-service.ts'
import { FetchFailure } from '../../../src/web/fetch-failure.ts'
import { loopbackFetcher, loopbackLookup } from '../support/loopback-fetcher.ts'
import { startRawServer } from '../support/raw-server.ts'

/** Asks for the previews of 64 pages at once, each some forty bytes of brotli with a window of 16 MiB that are all used. */
const page = Buffer.concat([Buffer.from('<title>Hello</title>'), Buffer.alloc(20_000_000, ' ')])
const body = brotliCompressSync(page, {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 5 },
})
const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n`
const server = await startRawServer((socket) => socket.end(Buffer.concat([Buffer.from(head), body])))
const fetcher = loopbackFetcher(server.port, {
  lookup: loopbackLookup,
  // So that a slow machine only takes longer.
  limits: { totalMs: 60_000, headersMs: 60_000, idleMs: 60_000 },
})
const service = createPreviewService({ fetcher, allowPorts: [server.port], now: Date.now })
/** Asks again when it waited too long for its turn, as it does on a slow machine. */
async function preview(name: string) {
  for (;;) {
    try {
      return await service.preview({ url: `http://${name}.site.com:${server.port}/` })
    } catch (failure) {
      if (!(failure instanceof FetchFailure && failure.reason === 'too_busy')) throw failure
    }
  }
}
function peakMib() {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024
}

await preview('first')
const before = peakMib()
const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => preview(`site${index}`)))
const titled = answers.filter(({ title }) => title === 'Hello').length
console.log(JSON.stringify({ titled, grownMib: peakMib() - before, bytes: body.length }))
process.exit(0)
