import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../support/server.ts'

const limit = 20_000
const rounds = 5
const callers = 24

/** Calls as fast as it can until the server dies. Returns how many calls were granted; `noteFirst` is called at the first answer. */
async function callUntilDeath(url: string, noteFirst: () => void): Promise<number> {
  let granted = 0
  async function one() {
    for (;;) {
      try {
        const response = await fetch(`${url}/api/og?title=crash&demo=1`)
        if (response.status === 200) granted += 1
        await response.arrayBuffer()
        // Also of a refusal: a fast machine uses the whole quota up in the first rounds.
        noteFirst()
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, one))
  return granted
}

test('after every SIGKILL under load no granted call is uncounted, and the count is within the limit', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-crash-'))
  const env = { DEMO_DAILY_QUOTA: String(limit) }
  let granted = 0
  for (let round = 0; round < rounds; round++) {
    const server = await startServer({ dataDir, env })
    const first = Promise.withResolvers<void>()
    const load = callUntilDeath(server.url, first.resolve)
    await first.promise
    await Bun.sleep(150 + 70 * round)
    await server.stop('SIGKILL')
    granted += await load
  }
  const server = await startServer({ dataDir, env })
  const head = await fetch(`${server.url}/api/og?title=crash&demo=1`, { method: 'HEAD' })
  const used = limit - Number(head.headers.get('x-quota-remaining'))
  expect(granted).toBeGreaterThan(0)
  expect(used).toBeGreaterThanOrEqual(granted)
  // Calls that were counted and not received were in flight when the server died.
  expect(used).toBeLessThanOrEqual(granted + rounds * callers)
  expect(used).toBeLessThanOrEqual(limit)
  expect(await server.stop()).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})
