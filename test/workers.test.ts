import { afterEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { eventually } from './support/eventually.ts'
import {
  answers,
  type QuietServer,
  type QuietServerOptions,
  startQuietServer,
} from './support/quiet-server.ts'

const password = 'correct horse battery'

let server: QuietServer | undefined
afterEach(() => server?.kill())

async function startWorkers(options: QuietServerOptions = {}): Promise<QuietServer> {
  const started = await startQuietServer({ ...options, env: { WORKERS: '2', ...options.env } })
  await eventually(() => listeners(started).size === 2)
  return started
}

/** The processes of the server's group but for the supervisor. */
function workersOf({ pid }: Pick<QuietServer, 'pid'>): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name)?.parent === pid)
    .map(Number)
}

function statusOf(pid: string) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    if (/^State:\s*Z/m.test(status)) return undefined
    return { parent: Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) }
  } catch {
    return undefined
  }
}

/** Sockets on the port of the server that are in this state. */
function socketsOf({ port }: QuietServer, wanted: string): readonly (readonly string[])[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === wanted)
}

/** How many sockets listen on the port. */
function listeners(of: QuietServer): Set<string> {
  return new Set(socketsOf(of, '0A').map((columns) => columns[9] ?? ''))
}

/** How many connections have sent a request that nobody has read. */
function connections(of: QuietServer): number {
  return socketsOf(of, '01').filter((columns) => !columns[4]?.endsWith(':00000000')).length
}

const sigterm = 15

function isStopped(pid: number): boolean {
  return /^State:\s*T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

function hasSignalPending(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].some(
    ([, bits]) => ((BigInt(`0x${bits}`) >> BigInt(sigterm - 1)) & 1n) === 1n,
  )
}

function ask(path: string, init: RequestInit = {}) {
  return fetch(`${server?.url}${path}`, { keepalive: false, ...init })
}

async function metrics(): Promise<ReadonlyMap<string, number>> {
  const response = await ask('/metrics')
  expect(response.status).toBe(200)
  const values = (await response.text()).matchAll(/^([^#\n].*) (\S+)$/gm)
  return new Map(Array.from(values, ([, name = '', value]) => [name, Number(value)]))
}

test('a signal to end is heard before the port is open', async () => {
  const script = `function listen() { process.kill(process.pid, 'SIGTERM'); return { port: 1, stop: async () => {} } }
    await (await import('./src/cli/start.ts')).start({ listen }, [], process.env)`
  const env = { DATA_DIR: mkdtempSync(`${tmpdir()}/mintmark-end-`), DRAIN_MS: '0' }
  const { exited } = Bun.spawn([process.execPath, '-e', script], { env, stdout: 'ignore', stderr: 'ignore' })
  expect(await exited).toBe(0)
})

/** One signal, and several of them at once, as a service manager above a wrapper sends them. */
const signalsOf = {
  bun: [['SIGTERM'], ['SIGINT'], ['SIGHUP'], ['SIGTERM', 'SIGTERM', 'SIGINT']],
  deno: [['SIGTERM']],
} as const

describe.each(['bun', 'deno'] as const)('two workers on %s', (runtime) => {
  for (const signals of signalsOf[runtime]) {
    test(`answer every request that is under way when their whole group gets ${signals.join(', ')}`, async () => {
      server = await startWorkers({ runtime, env: { DRAIN_MS: '300' } })
      const cards = Array.from({ length: 24 }, async (_, n) => {
        const response = await ask(`/api/og.png?title=group+${n}&demo=1`)
        return [response.status, (await response.arrayBuffer()).byteLength > 1000]
      })
      // They are under way when the first of them is answered.
      await Promise.any(cards)
      for (const signal of signals) server.signalGroup(signal)
      expect(await Promise.all(cards)).toEqual(cards.map(() => [200, true]))
      expect(await server.exited).toBe(0)
      expect(await answers(server.url)).toBe(false)
    })
  }

  test('answer what had reached them when they were asked to end, also what they had not read by then', async () => {
    server = await startWorkers({ runtime })
    const workers = workersOf(server)
    // A busy machine gives them no time between the requests and the signal.
    for (const pid of workers) process.kill(pid, 'SIGSTOP')
    // A process that has not stopped yet would take the signal to end before the one to stop.
    await eventually(() => workers.every(isStopped))
    const cards = Array.from({ length: 24 }, (_, n) => ask(`/api/og.png?title=unread+${n}&demo=1`))
    void Promise.allSettled(cards)
    await eventually(() => server !== undefined && connections(server) === cards.length)
    process.kill(server.pid, 'SIGTERM')
    await eventually(() => workers.every(hasSignalPending))
    for (const pid of workers) process.kill(pid, 'SIGCONT')
    const statuses = await Promise.all(cards.map(async (card) => (await card).status))
    expect(statuses).toEqual(cards.map(() => 200))
    expect(await server.exited).toBe(0)
  })

  test('end when their supervisor is killed, after they answered what was under way', async () => {
    server = await startWorkers({ runtime })
    const cards = Array.from(
      { length: 24 },
      async (_, n) => (await ask(`/api/og.png?title=orphan+${n}&demo=1`)).status,
    )
    await Promise.any(cards)
    // The channel breaks instead of ending, and messages that a worker sends from now on are never read.
    process.kill(server.pid, 'SIGSTOP')
    expect((await ask('/metrics')).status).toBe(503)
    process.kill(server.pid, 'SIGKILL')
    expect(await Promise.all(cards)).toEqual(cards.map(() => 200))
    const { url } = server
    await eventually(async () => !(await answers(url)))
  })

  test('tell the same counters, which never go down, not even when a worker was killed', async () => {
    server = await startWorkers({ runtime })
    const { pid } = server
    const seen: ReadonlyMap<string, number>[] = []
    let sent = 0
    async function sendAndScrape(rounds: number) {
      for (let round = 0; round < rounds; round++) {
        for (let n = 0; n < 6; n++) await (await ask(`/api/og?title=count+${n % 3}&demo=1`)).arrayBuffer()
        sent += 6
        seen.push(await metrics())
      }
    }
    await sendAndScrape(6)
    const durations = 'mintmark_request_duration_seconds_count{endpoint="og"}'
    // Exactly the sum over both, each time.
    expect(seen.map((one) => one.get(durations))).toEqual([6, 12, 18, 24, 30, 36])
    const [victim = 0] = workersOf({ pid })
    process.kill(victim, 'SIGKILL')
    // Who asks the dead one is cut off.
    await eventually(
      async () => (await metrics().catch(() => undefined))?.get('mintmark_worker_restarts_total') === 1,
    )
    await eventually(() => server !== undefined && listeners(server).size === 2)
    await sendAndScrape(3)
    expect(seen.at(-1)?.get(durations)).toBe(sent)
    expect(seen.at(-1)?.get('mintmark_requests_total{endpoint="og"}')).toBe(sent)
    const counters = [...(seen[0]?.keys() ?? [])].filter((name) => /_total|_count|_bucket|_sum/.test(name))
    expect(counters.length).toBeGreaterThan(10)
    for (const name of counters) {
      const values = seen.map((one) => one.get(name) ?? 0)
      expect([name, values.toSorted((one, other) => one - other)]).toEqual([name, values])
    }
    // The start is that of the service, not that of the youngest worker.
    expect(new Set(seen.map((one) => one.get('mintmark_start_time_seconds'))).size).toBe(1)
  })

  test('hold limits together: wrong passwords, keys of an address, calls of the demo and of a key, a revoked key', async () => {
    server = await startWorkers({
      runtime,
      env: { ADMIN_PASSWORD: password, DEMO_DAILY_QUOTA: '20', KEY_DAILY_QUOTA: '20' },
    })
    const keys = await Promise.all(Array.from({ length: 12 }, () => ask('/api/key')))
    expect(keys.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(keys.filter(({ status }) => status === 429)).toHaveLength(7)

    expect(await grantsOf(80, '/api/og?title=demo&demo=1')).toBe(20)
    const pairs = await Promise.all(keys.filter(({ ok }) => ok).map((response) => response.json()))
    const [used, revoked] = pairs as readonly { readonly id: string; readonly secret: string }[]
    if (used === undefined || revoked === undefined) throw new Error('no keys')
    expect(await grantsOf(80, signed(used))).toBe(20)

    expect(await grantsOf(4, signed(revoked))).toBe(4)
    const login = await post('/admin/login', { password })
    expect(login.status).toBe(303)
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await post(`/admin/keys/${revoked.id}/revoke`, {}, cookie)).status).toBe(303)
    expect(await grantsOf(12, signed(revoked))).toBe(0)

    const statuses: number[] = []
    for (let n = 0; n < 12; n++)
      statuses.push((await post('/admin/login', { password: `wrong ${n}` })).status)
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
  })
})

/** How many of so many calls at once, on connections of their own, are granted. */
async function grantsOf(calls: number, path: string): Promise<number> {
  const statuses = await Promise.all(Array.from({ length: calls }, async () => (await ask(path)).status))
  expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
  return statuses.filter((status) => status === 200).length
}

function signed({ id, secret }: { readonly id: string; readonly secret: string }): string {
  const t = Math.floor(Date.now() / 1000)
  const sig = createHmac('sha256', secret).update(`${t}.GET /api/og`).digest('hex')
  return `/api/og?title=key&key=${id}&t=${t}&sig=${sig}`
}

function post(path: string, form: Readonly<Record<string, string>>, cookie = ''): Promise<Response> {
  const headers = { origin: server?.url ?? '', 'sec-fetch-site': 'same-origin', cookie }
  return ask(path, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })
}

test('a worker that is silent holds up no scrape of the other, and what it had counted stays in the sum', async () => {
  server = await startWorkers()
  for (let n = 0; n < 12; n++) expect((await ask(`/api/og?title=silent+${n}&demo=1`)).status).toBe(200)
  const counted = 'mintmark_request_duration_seconds_count{endpoint="og"}'
  expect((await metrics()).get(counted)).toBe(12)
  const [silent = 0] = workersOf(server)
  process.kill(silent, 'SIGSTOP')
  // Connections that the kernel gives to the silent one wait until the supervisor kills that.
  const scrapes = Array.from({ length: 12 }, () => ask('/metrics').then((response) => response.text()))
  void Promise.allSettled(scrapes)
  expect(await Promise.any(scrapes)).toContain(`${counted} 12\n`)
})

test('a supervisor whose output is dead keeps serving, replaces a killed worker and ends well', async () => {
  server = await startWorkers({ redirect: '>/dev/full 2>/dev/full' })
  const [victim = 0] = workersOf(server)
  process.kill(victim, 'SIGKILL')
  const { pid } = server
  await eventually(() => workersOf({ pid }).length === 2 && !workersOf({ pid }).includes(victim))
  await eventually(() => server !== undefined && listeners(server).size === 2)
  expect((await ask('/api/og?title=dead+output&demo=1')).status).toBe(200)
  server.signalGroup('SIGTERM')
  expect(await server.exited).toBe(0)
})

test('a second Ctrl-C, clearly later than the first, ends a process that waits', async () => {
  server = await startWorkers({ env: { DRAIN_MS: '600000' } })
  server.signalGroup('SIGINT')
  await Bun.sleep(1500)
  server.signalGroup('SIGINT')
  expect(await server.exited).toBe(1)
})
