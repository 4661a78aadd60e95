import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import net from 'node:net'
import type { FetchLimits } from '../../src/web/connect.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import { createWebFetcher, type WebFetcherOptions } from '../../src/web/web-fetcher.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import { eventually } from '../support/eventually.ts'
import { httpCases } from './http-behaviours.ts'
import { fetchText } from './support/collect.ts'
import { loopbackFetcher } from './support/loopback-fetcher.ts'
import { startRawServer } from './support/raw-server.ts'

/** A slow machine must not change an outcome: of these only the one is short that a case is about. */
const patientLimits = { connectMs: 120_000, headersMs: 120_000, idleMs: 120_000, totalMs: 240_000 }

function fetcherTo(port: number, limits: Partial<FetchLimits>) {
  return loopbackFetcher(port, { limits: { ...patientLimits, ...limits } })
}

async function outcomeOf(port: number, limits: Partial<FetchLimits> = {}): Promise<string> {
  try {
    const page = await fetchText(fetcherTo(port, limits), `http://127.0.0.1:${port}/`)
    return page.truncated ? 'truncated' : 'ok'
  } catch (failure) {
    return failure instanceof FetchFailure ? failure.reason : String(failure)
  }
}

function openFiles() {
  return readdirSync('/proc/self/fd').length
}
function settle() {
  return new Promise((resolve) => setTimeout(resolve, 100))
}

const behaviourChecks = httpCases.map(
  ({ id, expect, limits, isSlow = false, behave }): Check => ({
    isSlow,
    name: `${id}: ${expect}`,
    async run() {
      const server = await startRawServer(behave)
      try {
        assert.equal(await outcomeOf(server.port, limits), expect)
      } finally {
        await server.close()
      }
    },
  }),
)

function never() {
  return new Promise<never>(() => {})
}

/** Steps that would have more time than the whole has left. */
const stuck: readonly (readonly [step: string, options: Partial<WebFetcherOptions>])[] = [
  ['a name that nobody resolves', { lookup: never }],
  [
    'an address that never answers',
    { lookup: async () => [{ address: '93.184.216.34', ttl: 60 }], openSocket: () => new net.Socket() },
  ],
]

export const checks: readonly Check[] = [
  ...behaviourChecks,
  ...stuck.map(
    ([step, options]): Check => ({
      name: `${step} until the time of the whole is over: timeout_total`,
      async run() {
        const fetcher = createWebFetcher({ userAgent: 'Test', limits: { totalMs: 50 }, ...options })
        await assert.rejects(fetchText(fetcher, 'http://site.example.org/'), { reason: 'timeout_total' })
      },
    }),
  ),
  ...checksOf({
    async 'a port that nobody listens on: connect_refused'() {
      const server = await startRawServer(() => {})
      await server.close()
      assert.equal(await outcomeOf(server.port), 'connect_refused')
    },
    async 'a fetch that has enough hangs up soon'() {
      const behaviour = httpCases.find(({ id }) => id === 'head-then-infinite')
      const server = await startRawServer(behaviour?.behave ?? (() => {}))
      await outcomeOf(server.port)
      // It would write on about now.
      await settle()
      assert.ok(server.bytesWritten() < 65_536, `the server could write ${server.bytesWritten()} bytes`)
      await server.close()
    },
  }),
  {
    name: 'bad servers leave no descriptors behind',
    isSlow: true,
    async run() {
      await outcomeOf(1)
      await settle()
      const before = openFiles()
      for (const { behave } of httpCases.filter(({ limits }) => limits === undefined)) {
        const server = await startRawServer(behave)
        await outcomeOf(server.port)
        await server.close()
      }
      await eventually(() => openFiles() <= before + 2)
    },
  },
  {
    name: 'bombs do not grow the process',
    isSlow: true,
    async run() {
      const bombs = httpCases.filter(({ id }) => id.endsWith('-bomb'))
      const servers = await Promise.all(bombs.map(({ behave }) => startRawServer(behave)))
      for (const server of servers) await outcomeOf(server.port)
      // A bomb that is held grows the process each time. Garbage does so too where nobody collects it, which only Bun can be told.
      const collect = () => void Reflect.get(globalThis, 'Bun')?.gc(true)
      const grownMib: number[] = []
      while (grownMib.length < 10 && !grownMib.some((mib) => mib < 32)) {
        collect()
        const before = process.memoryUsage().rss
        for (const server of servers) await outcomeOf(server.port)
        collect()
        grownMib.push((process.memoryUsage().rss - before) / 1_048_576)
      }
      assert.ok(Math.min(...grownMib) < 32, `grew by ${grownMib.join(', ')} MiB`)
      for (const server of servers) await server.close()
    },
  },
]
