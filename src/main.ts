import http from 'node:http'
import process from 'node:process'
import { startWithSmallHeap } from './lib/small-heap.ts'
import type { Runtime } from './run.ts'
import { start } from './start.ts'

/** Beyond this Bun refuses a request's head by itself and without a word; below it our own limit does, with one. */
const headBytesMost = 128 * 1024

/** Beyond this Bun cuts a body by itself; our own limit is lower. */
const bodyBytesMost = 1024 * 1024

Object.assign(http, { maxHeaderSize: headBytesMost })

const runtime: Runtime = {
  listen(options, fetch) {
    const server: Bun.Server<undefined> = Bun.serve({
      ...options,
      idleTimeout: 30,
      maxRequestBodySize: bodyBytesMost,
      development: false,
      fetch: (request) => fetch(request, () => server.requestIP(request)?.address ?? ''),
    })
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

if (process.argv.length <= 2) startWithSmallHeap()
start(runtime, process.argv.slice(2), process.env)
