import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { utcDay } from '../../src/lib/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { run, start } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { openAccess, signed } from './temporary-access.ts'

const directory = temporaryDirectory()

async function usedInAll(path: string, bucket: string): Promise<number> {
  const store = openStore({ path })
  const today = utcDay(Date.now())
  // The tests may run over midnight.
  const used = (await store.usage.used(today, bucket)) + (await store.usage.used(today - 1, bucket))
  await store.close()
  return used
}

describe('several processes', () => {
  test('together grant exactly the limit, on Bun and on Deno', async () => {
    const path = join(directory, 'processes.db')
    const all = ['bun', 'bun', 'deno', 'deno'] as const
    const outputs = await Promise.all(
      all.map((runtime) => run(runtime, 'test/access/children/reserve.ts', path, 'demo', '1000', '400')),
    )
    const granted = outputs.map(Number).reduce((sum, count) => sum + count, 0)
    expect([granted, await usedInAll(path, 'demo')]).toEqual([1000, 1000])
  })
})

describe('four processes', () => {
  test('that send 400 calls at once to a key with 100 left have exactly 100 granted', async () => {
    const path = join(directory, 'key.db')
    const access = await openAccess({ path })
    const pair = await access.keys.create({ dailyQuota: 150 })
    const url = await signed(pair, access.clock.now())
    await Promise.all(Array.from({ length: 50 }, () => access.call(url)))
    const script = 'test/access/children/call.ts'
    const outputs = await Promise.all(
      (['bun', 'bun', 'bun', 'deno'] as const).map((runtime) => run(runtime, script, path, url, '100')),
    )
    expect(outputs.join('').match(/key\n/g)).toHaveLength(100)
    expect(outputs.join('').match(/quota_exhausted\n/g)).toHaveLength(300)
    expect([await access.used(`key:${pair.key.id}`), await access.usedInAll()]).toEqual([150, 150])
    await access.store.close()
  })
})

describe('a process that is killed', () => {
  test('leaves no granted call uncounted, and nothing over the limit', async () => {
    const path = join(directory, 'killed.db')
    const limit = 20_000
    let answered = 0
    for (let round = 0; round < 10; round += 1)
      answered += await grantedUntilKilled(path, limit, 60 + 15 * round)
    const counted = await usedInAll(path, 'demo')
    expect(answered).toBeGreaterThan(0)
    expect(counted).toBeGreaterThanOrEqual(answered)
    expect(counted).toBeLessThanOrEqual(limit)

    const store = openStore({ path })
    expect(store.check()).toEqual({ ok: true })
    expect(await store.traffic.totals()).toEqual([{ endpoint: 'og', count: counted }])
    const { meter } = store
    expect((await meter.reserve({ bucket: 'demo', limit: counted })).granted).toBe(false)
    await store.close()
  })
})

/** Lets two processes reserve for some time, kills both, and returns how many granted calls they could answer. */
async function grantedUntilKilled(path: string, limit: number, timeMs: number): Promise<number> {
  const script = 'test/access/children/reserve-until-killed.ts'
  const children = [0, 1].map(() => start('bun', script, path, 'demo', String(limit)))
  const outputs = children.map((child) => readUntilKilled(child, timeMs))
  return (await Promise.all(outputs)).reduce((sum, count) => sum + count, 0)
}

async function readUntilKilled(child: ReturnType<typeof start>, timeMs: number): Promise<number> {
  let granted = 0
  let total = 0
  for await (const bytes of child.stdout) {
    if (total === 0) setTimeout(() => child.kill('SIGKILL'), timeMs)
    total += bytes.length
    for (const byte of bytes) if (byte === '+'.charCodeAt(0)) granted += 1
  }
  await child.exited
  return granted
}
