import { readFileSync, writeSync } from 'node:fs'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { createService } from '../../src/service.ts'

/** The service without metering: every call is granted, with the same headers, and nothing is counted. */
const readFile = (path: string) => readFileSync(path, 'utf8')
const quota = { limit: 3000, remaining: 2999, resetsAtMs: dayMs }
const service = await createService({
  config: await readStartConfig(process.env, readFile),
  readFile,
  write: (lines) => void writeSync(1, lines),
  authorizer: { authorize: async () => ({ granted: true, mode: 'demo', quota, refund: async () => {} }) },
})
Bun.serve({
  port: Number(process.argv[2]),
  hostname: '127.0.0.1',
  fetch: (request) => service.fetch(request, () => '127.0.0.1'),
})
