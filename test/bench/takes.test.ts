import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastSeededDay, seedKeys } from '../../bench/support/seed-keys.ts'
import { openTakes } from '../../bench/support/takes.ts'
import { callsInTurns } from '../../bench/support/timed-calls.ts'
import { openSqlite } from '../../src/store/sqlite.ts'

const sizes = [1_000, 3_000]
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'takes-'))
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('as many takes insert a row in a small database as in a large one, and none falls on another day', async () => {
  for (const keys of sizes) await seedKeys(pathOf(keys), keys)
  const day = lastSeededDay(pathOf(1_000)) - 7
  const before = sizes.map((keys) => usageOf(keys, day))
  const sides = await Promise.all(sizes.map((keys) => openTakes(pathOf(keys), keys, day)))
  const times = await callsInTurns(sides)
  for (const side of sides) await side.close()

  expect(times.map(({ length }) => length)).toEqual([3_000, 3_000])
  for (const [index, keys] of sizes.entries()) {
    const { used, rows, others } = usageOf(keys, day)
    expect(used - (before[index]?.used ?? 0)).toBe(3_000)
    expect(others).toBe(before[index]?.others ?? 0)
    // A tenth of the keys were used before. Of the thousand that are drawn from the larger one: that, within five deviations.
    const inserted = rows - (before[index]?.rows ?? 0)
    expect(inserted).toBeGreaterThan(850)
    expect(inserted).toBeLessThan(950)
  }
})

function pathOf(keys: number): string {
  return join(directory, `${keys}.sqlite`)
}

/** The number counted on the day, the rows it took, and the number counted on all other days. */
function usageOf(keys: number, day: number) {
  const sqlite = openSqlite(pathOf(keys))
  const usage = sqlite
    .prepare<{ used: number; rows: number; others: number }>(
      `select sum(used) filter (where day = ?1) as used, count(*) filter (where day = ?1) as rows,
         sum(used) filter (where day <> ?1) as others from usage_days`,
    )
    .get(day)
  sqlite.close()
  if (usage === undefined) throw new Error('no usage')
  return usage
}
