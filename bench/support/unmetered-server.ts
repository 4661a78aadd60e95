import { readFileSync, writeSync } from 'node:fs'
import type { Authorizer } from '../../src/access/authorizer.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { createService } from '../../src/service.ts'

/** The service without metering: every call is granted, with the same headers, and nothing is counted. */
const [port = '0'] = process.argv.slice(2)

const everything: Authorizer = {
  authorize: async () => ({
    granted: true,
    mode: 'demo',
    quota: { limit: 3000, remaining: 2999, resetsAtMs: dayMs },
    refund: async () => {},
  }),
}

const service = await createService({
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  write: (lines) => void writeSync(1, lines),
  authorizer: everything,
})

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  fetch: (request) => service.fetch(request, () => '127.0.0.1'),
})
