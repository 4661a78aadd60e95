import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { throughPort } from '../store/postgres/databases.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { type Servers, startServers, untilAllAnswer } from './support/servers.ts'
import { callSigned, issueKey } from './support/signed-calls.ts'

const serverCount = 3
const callers = 24
const limit = 400
const callsAfterFault = 10
const frozenMs = [300, 1_800] as const

interface Fault {
  readonly name: string
  readonly rounds: number
  /** A server that is killed may have counted calls whose answers nobody received. */
  readonly killsServer?: true
  readonly make: (round: number) => Promise<void>
}

describe.skipIf(!hasPostgres)('servers that share PostgreSQL', () => {
  let proxies: readonly TcpProxy[]
  let servers: Servers
  const postgres = started(startPostgres)
  beforeAll(async () => {
    const url = postgres.makeDatabase('faults')
    proxies = await Promise.all(Array.from({ length: serverCount }, () => startTcpProxy(postgres.port)))
    servers = await startServers({
      databaseUrls: proxies.map(({ port }) => throughPort(url, port)),
      env: { KEY_DAILY_QUOTA: String(limit) },
    })
  })
  afterAll(async () => {
    await servers?.close()
    await Promise.all((proxies ?? []).map((proxy) => proxy.close()))
  })

  const faults: readonly Fault[] = [
    {
      name: 'PostgreSQL is ended at once and started again',
      rounds: 10,
      async make() {
        await postgres.crash()
        await postgres.start()
      },
    },
    {
      name: 'backends are terminated',
      rounds: 10,
      async make() {
        for (let n = 0; n < 5; n += 1) {
          postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`)
          await sleep(10)
        }
      },
    },
    {
      name: 'connections are cut',
      rounds: 10,
      async make() {
        for (let n = 0; n < 12; n += 1) {
          proxies[n % serverCount]?.cut()
          await sleep(7)
        }
      },
    },
    {
      name: 'connections freeze',
      rounds: 6,
      async make(round) {
        const proxy = proxies[round % serverCount]
        proxy?.freeze()
        await sleep(frozenMs[round % 2])
        proxy?.thaw()
      },
    },
    {
      name: 'a server is killed',
      rounds: 6,
      killsServer: true,
      async make(round) {
        const index = round % serverCount
        await servers.kill(index)
        await servers.start(index)
      },
    },
  ]

  test.each(faults.map((fault) => [fault.name, fault] as const))(
    'count what they answer and never exceed a quota while %s',
    async (_, { name, rounds, killsServer, make }) => {
      const totals = { answered: 0, counted: 0, unavailable: 0 }
      for (let round = 0; round < rounds; round += 1) {
        const key = await issueKey(servers.url(round))
        const { answered, unavailable } = await hammer(
          servers,
          (url) => callSigned(url, key),
          () => make(round),
        )
        await untilAllAnswer(servers)
        const counted = await settledCount(`key:${key.key}`, answered, killsServer ? 4 : 40)
        if (killsServer) expect(counted).toBeGreaterThanOrEqual(answered)
        else expect({ round, counted }).toEqual({ round, counted: answered })
        expect(counted).toBeLessThanOrEqual(limit)
        totals.answered += answered
        totals.counted += counted
        totals.unavailable += unavailable
      }
      console.log(`${name}: ${rounds} rounds, ${JSON.stringify(totals)}`)
      expect(totals.answered).toBeGreaterThan(0)
    },
  )

  /**
   * The stored count of a bucket. Calls that were counted and not delivered are released soon after the database is
   * back.
   */
  async function settledCount(bucket: string, answered: number, triesMax: number): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      const counted = Number(
        postgres.run(`select coalesce(sum(used), 0) from usage_days where bucket = '${bucket}'`, 'faults'),
      )
      if (counted === answered || tries === triesMax) return counted
      await sleep(50)
    }
  }
})

/** Callers call all servers while something breaks, and some calls longer. */
async function hammer(
  servers: Servers,
  call: (serverUrl: string) => Promise<number>,
  breakSomething: () => Promise<void>,
): Promise<{ readonly answered: number; readonly unavailable: number }> {
  const outcomes = { answered: 0, unavailable: 0 }
  let isOver = false
  async function caller(index: number): Promise<void> {
    for (let after = 0; after < callsAfterFault; after += isOver ? 1 : 0) {
      const status = await call(servers.url(index))
      if (status === 200) outcomes.answered += 1
      else if (status === 402) await sleep(5)
      else {
        expect([0, 503]).toContain(status)
        outcomes.unavailable += 1
        await sleep(20)
      }
    }
  }
  const calls = Array.from({ length: callers }, (_, index) => caller(index))
  await sleep(20)
  await breakSomething()
  isOver = true
  await Promise.all(calls)
  return outcomes
}
