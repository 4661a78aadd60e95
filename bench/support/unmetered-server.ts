import { readFileSync, writeSync } from 'node:fs'
import type { Authorizer } from '../../src/access/authorizer.ts'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
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

function readFile(path: string): string {
  return readFileSync(path, 'utf8')
}

const service = await createService({
  config: await readStartConfig(process.env, readFile),
  readFile,
  write: (lines) => void writeSync(1, lines),
  authorizer: everything,
})

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  fetch: (request) => service.fetch(request, () => '127.0.0.1'),
})
