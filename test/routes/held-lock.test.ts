import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { type HeldLock, holdLock } from '../support/hold-lock.ts'
import { startServer, type TestServer } from '../support/server.ts'

const limit = 1_000
const callers = 40
let server: TestServer
afterEach(() => server.stop())

function databaseOf({ dataDir }: TestServer) {
  return join(dataDir, 'mintmark.sqlite')
}

async function usedOf({ url }: TestServer): Promise<number> {
  const head = await fetch(`${url}/api/og?title=a&demo=1`, { method: 'HEAD' })
  return limit - Number(head.headers.get('x-quota-remaining'))
}

/** The longest that `/healthz` took while `until` had not come, asked all the time. */
async function longestStallMs({ url }: TestServer, until: Promise<unknown>): Promise<number> {
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const startMs = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    longest = Math.max(longest, performance.now() - startMs)
    await Bun.sleep(5)
  }
  return longest
}

/** Counted calls, keys, logins and playground previews, as many as there are callers of each. */
function askEverything({ url }: TestServer, name: string): Promise<Response>[] {
  return Array.from({ length: callers }, (_, n) => [
    fetch(`${url}/api/og?title=${name}-${n}&demo=1`),
    fetch(`${url}/api/key`),
    fetch(`${url}/admin/login`, {
      method: 'POST',
      body: 'password=wrong',
      headers: { 'sec-fetch-site': 'same-origin' },
    }),
  ]).flat()
}

test('a lock that another process holds stops nothing but what writes: that is told to come again, and not charged', async () => {
  const env = {
    DEMO_DAILY_QUOTA: String(limit),
    KEYS_PER_IP_PER_DAY: '1000',
    ADMIN_PASSWORD: 'a long password',
  }
  server = await startServer({ env })
  await fetch(`${server.url}/api/og?title=warm&demo=1`)
  const before = await usedOf(server)
  const lock = await holdLock(databaseOf(server))
  const all = Promise.all(askEverything(server, 'locked'))
  const stallMs = await longestStallMs(server, all)
  const answers = await all
  await lock.release()
  expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([503, 429]))).toBe(true)
  expect(
    answers.filter(({ status }) => status === 503).map((each) => each.headers.get('retry-after')),
  ).not.toContain(null)
  // SQLite alone would wait five seconds for each statement.
  expect(stallMs).toBeLessThan(4_500)
  expect(await usedOf(server)).toBe(before)
  // Lines are written a moment later than answers.
  const isBusy = ({ message }: Readonly<Record<string, unknown>>) => message === 'busy'
  await eventually(() => server.lines.some(isBusy))
  const reasons = server.lines.filter(isBusy)
  expect(String(reasons[0]?.['reason'])).toMatch(/mintmark\.sqlite \(DATA_DIR\) is locked by another process/)
  // Once for some seconds, and not once for each call.
  expect(reasons.length).toBeLessThan(10)
})

test('calls that wait for a lock are answered when it is let go, and each is counted once', async () => {
  server = await startServer({ env: { DEMO_DAILY_QUOTA: String(limit) } })
  await fetch(`${server.url}/api/og?title=warm&demo=1`)
  const before = await usedOf(server)
  const lock = await holdLock(databaseOf(server))
  const calls = Array.from({ length: callers }, (_, n) =>
    fetch(`${server.url}/api/og?title=waits-${n}&demo=1`),
  )
  await Bun.sleep(500)
  await lock.release()
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(callers).fill(200))
  expect(await usedOf(server)).toBe(before + callers)
})

test('a call that fails while the store is locked has its own error, and its refund is kept until it can be stored', async () => {
  let lock: HeldLock | undefined
  // The site takes the lock when the call has been counted, and then says nothing.
  const site = createServer(async (socket) => {
    socket.on('error', () => {})
    lock ??= await holdLock(databaseOf(server))
    socket.destroy()
  })
  const port = await new Promise<number>((resolve) =>
    site.listen(0, '127.0.0.1', () => resolve((site.address() as { port: number }).port)),
  )
  server = await startServer({
    env: {
      DEMO_DAILY_QUOTA: String(limit),
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_ALLOW_PORTS: String(port),
    },
  })
  await fetch(`${server.url}/api/og?title=warm&demo=1`)
  const before = await usedOf(server)
  const url = encodeURIComponent(`http://127.0.0.1:${port}/`)
  const failed = await fetch(`${server.url}/api/transform?kind=preview&url=${url}&demo=1`)
  expect([failed.status, ((await failed.json()) as { code: string }).code]).toEqual([502, 'upstream_failed'])
  await lock?.release()
  site.close()
  await eventually(async () => (await usedOf(server)) === before)
})

test('servers that start while another process writes wait for it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-locked-'))
  server = await startServer({ dataDir })
  await server.stop()
  const lock = await holdLock(join(dataDir, 'mintmark.sqlite'))
  const starting = [startServer({ dataDir }), startServer({ dataDir })]
  await Bun.sleep(1_000)
  await lock.release()
  const [one, other] = await Promise.all(starting)
  for (const each of [one, other]) expect((await fetch(`${each?.url}/readyz`)).status).toBe(200)
  await one?.stop()
  await other?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
