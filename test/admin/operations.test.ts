import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTable } from '../../src/cli/settings-table.ts'

const guide = readFileSync(join(import.meta.dir, '../../docs/OPERATIONS.md'), 'utf8')

test('the guide has a row for every setting, as the program has it; `bun run docs:settings` writes them', () => {
  const rows = settingsTable()
  expect(rows.length).toBeGreaterThan(50)
  expect(guide.trimEnd().split('\n').slice(-rows.length)).toEqual([...rows])
})

test('the unit keeps the just-in-time compiler', () => {
  expect(guide).not.toMatch(/^MemoryDenyWriteExecute/m)
})
