import { afterAll, expect, test } from 'bun:test'
import { readKeyMetrics } from '../../src/access/key-quota.ts'
import { forever } from '../../src/access/keys.ts'
import { startService } from '../support/service.ts'
import { createTemporaryAccess, noonMs, signed } from './temporary-access.ts'

const { store, clock, keys, call } = await createTemporaryAccess()
afterAll(() => store.close())

function samples(text: string, name: string): readonly (readonly [key: string, value: number])[] {
  return [...text.matchAll(new RegExp(`^${name}\\{key="(mk_\\w+)"\\} (\\d+)$`, 'gm'))].map(
    ([, key = '', value]) => [key, Number(value)] as const,
  )
}

test('use and limit are those of the 20 keys that are used most today, and a key without limit has none', async () => {
  const pairs = []
  for (let count = 0; count < 22; count += 1) pairs.push(await keys.create({ dailyQuota: 5 }))
  const [first, second, ...others] = pairs
  for (const pair of pairs.slice(0, 21)) await call(await signed(pair, noonMs))
  for (const pair of [first, second, second])
    if (pair !== undefined) await call(await signed(pair, noonMs, '/api/og?title=More'))
  await keys.upgrade(first?.key.id ?? '', forever)
  const text = await readKeyMetrics(store, clock, 3)
  const used = samples(text, 'mintmark_key_calls_used')
  expect(used).toHaveLength(20)
  expect(used.slice(0, 3)).toEqual([
    [second?.key.id ?? '', 3],
    [first?.key.id ?? '', 2],
    [expect.any(String), 1],
  ])
  const limits = samples(text, 'mintmark_key_calls_limit')
  expect([limits.length, new Set(limits.map(([, limit]) => limit))]).toEqual([19, new Set([5])])
  expect(limits.map(([id]) => id)).not.toContain(first?.key.id ?? '')
  expect(text).not.toContain(others.at(-1)?.key.id ?? '')
})

test('the public counters name no key', async () => {
  const server = await startService()
  try {
    const { id, signed_example: example } = await (await fetch(`${server.url}/api/key`)).json()
    await fetch(example.url)
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
      `mintmark_key_calls_used{key="${id}"} 1`,
    )
    const open = await fetch(`${server.url}/api/stats?format=prometheus`)
    expect(await open.text()).not.toContain('mk_')
  } finally {
    await server.stop()
  }
})
