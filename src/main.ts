import process from 'node:process'
import { loadStart } from './cli/precompiled.ts'
import { refuseOldBun } from './cli/refuse-old-bun.ts'
import type { Runtime } from './cli/runtime.ts'
import { startWithSmallHeap } from './cli/small-heap.ts'
import { refuseMissingFiles } from './lib/package-files.ts'
import { pictureProcessWord } from './raster/picture-process/picture-messages.ts'
import { fontProcessWord } from './text/brand-fonts/font-limits.ts'

/** Beyond this Bun refuses a request's head by itself and without a word; below it our own limit does, with one. */
const headBytesMax = 128 * 1024

/** Beyond this Bun refuses a body without a word; our limits are lower. An unread body stays in the socket, not in memory. */
const bodyBytesMax = 64 * 1024 * 1024

const idleSeconds = 30
/** Longer than all queues together, the longest work and a settlement: a request that is answered keeps its connection. */
const answerSeconds = 240

const runtime: Runtime = {
  listen(options, { fetch, guardedStarts }) {
    // Not imported, because loading it takes 20 ms and most processes listen to nobody.
    Object.assign(process.getBuiltinModule('node:http'), { maxHeaderSize: headBytesMax })
    /** Bun's own routes are matched against the request target as it was sent; its `request.url` is resolved. */
    function routesAt([start, area]: readonly [string, string]) {
      const handler = (request: Request) => answer(request, area)
      return [[start, handler] as const, [`${start}/*`, handler] as const]
    }
    const server: Bun.Server<undefined> = Bun.serve({
      ...options,
      idleTimeout: idleSeconds,
      maxRequestBodySize: bodyBytesMax,
      development: false,
      routes: Object.fromEntries([...guardedStarts].flatMap(routesAt)),
      fetch: (request) => answer(request, ''),
    })
    function answer(request: Request, area: string): Response | Promise<Response> {
      const response = fetch(request, (asked) => server.requestIP(asked)?.address ?? '', area)
      if (!(response instanceof Promise)) return response
      server.timeout(request, answerSeconds)
      // Otherwise the connection would be kept as long afterwards.
      return response.finally(() => server.timeout(request, idleSeconds))
    }
    return {
      port: server.port ?? options.port,
      async stop() {
        void server.stop()
        while (server.pendingRequests > 0) await Bun.sleep(10)
        await server.stop(true)
      },
    }
  },
}

refuseOldBun()
refuseMissingFiles()
const [, , word] = process.argv
// Loaded apart: the processes that read what strangers bring need nothing of the server, and are small without it.
if (word === pictureProcessWord) await import('./raster/picture-process/picture-process.ts')
else if (word === fontProcessWord) await import('./text/brand-fonts/font-process.ts')
else {
  startWithSmallHeap()
  const { start } = await loadStart()
  await start(runtime, process.argv.slice(2), process.env)
}
