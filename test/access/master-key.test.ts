import { expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadMasterKey, parseMasterKey } from '../../src/access/secrets.ts'
import { run } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'

const directory = temporaryDirectory()

test('a master key is made once, for this user only, and nothing else is left behind', () => {
  const own = join(directory, 'own')
  const key = loadMasterKey(own)
  expect(key).toHaveLength(32)
  expect(loadMasterKey(own)).toEqual(key)
  expect(statSync(join(own, 'master.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(own)).toEqual(['master.key'])
  expect(loadMasterKey(join(directory, 'other'))).not.toEqual(key)
})

test('processes that start together end up with the same master key', async () => {
  const shared = join(directory, 'shared')
  const all = ['bun', 'bun', 'bun', 'bun', 'deno'] as const
  const keys = await Promise.all(
    all.map((runtime) => run(runtime, 'test/access/children/master-key.ts', shared)),
  )
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{64}\n$/)
  expect(readdirSync(shared)).toEqual(['master.key'])
})

test('a damaged master key stops the start instead of being replaced', () => {
  writeFileSync(join(directory, 'master.key'), 'abc')
  expect(() => loadMasterKey(directory)).toThrow('64 hex digits')
})

test('a given master key is 64 hex digits', () => {
  expect(parseMasterKey(` ${'aB'.repeat(32)}\n`)).toEqual(new Uint8Array(32).fill(0xab))
  for (const text of ['', 'ab', 'g'.repeat(64), 'a'.repeat(65)]) expect(parseMasterKey(text)).toBeUndefined()
})
