import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { hasPostgres } from './postgres.ts'

/** What goes through HTTP, or through the store. */
const rooms = ['test/access', 'test/admin', 'test/http', 'test/payments', 'test/routes']

const ofTheFile = 'it is about the SQLite file, its locks and its disk'
const noStore = 'it stores nothing'
const leftOut: Readonly<Record<string, string>> = {
  'test/access/meter-processes.test.ts':
    'its processes share a file; test/several-servers has servers that share a database',
  'test/admin/backup.test.ts': ofTheFile,
  'test/admin/markup.test.ts': 'it is about what pages do with texts, wherever they come from',
  'test/admin/pages.test.ts': 'it is about how pages look',
  'test/admin/query-plans.test.ts': 'it is about how SQLite plans',
  'test/http/log-faults.test.ts': noStore,
  'test/payments/flood.test.ts': 'it is about what a chain is asked',
  'test/payments/ledger.test.ts': 'it goes over both stores itself',
  'test/payments/locked.test.ts': ofTheFile,
  'test/payments/processes.test.ts':
    'its processes share a file; test/several-servers has servers that share a database',
  'test/routes/api-og-fuzz.test.ts': noStore,
  'test/routes/every-route-while-locked.test.ts': ofTheFile,
  'test/routes/fair-fetching.test.ts': noStore,
  'test/routes/held-lock.test.ts': ofTheFile,
  'test/routes/readyz.test.ts': ofTheFile,
}

/**
 * Runs every test, and then those of the API again over PostgreSQL; with `--postgres` only those. With the names of
 * files or rooms it runs these once. Ends with 1 if a test failed.
 */
const words = process.argv.slice(2)
const isAgainOnly = words.includes('--postgres')
const passes = isAgainOnly ? [] : [run(words)]
if (isAgainOnly || words.length === 0) passes.push(runOnPostgres())
process.exit(passes.every(Boolean) ? 0 : 1)

function run(files: readonly string[], env: Readonly<Record<string, string>> = {}): boolean {
  const words = ['test', '--timeout', '60000', ...files]
  return (
    spawnSync(process.execPath, words, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
  )
}

function runOnPostgres(): boolean {
  if (!hasPostgres) {
    console.log('left out, as there is no PostgreSQL server: the tests of the API over it')
    return true
  }
  for (const [file, reason] of Object.entries(leftOut)) {
    if (!existsSync(file)) throw new Error(`${file} is left out over PostgreSQL, and is not there.`)
    console.log(`left out over PostgreSQL: ${file}, ${reason}`)
  }
  const files = rooms.flatMap((room) =>
    readdirSync(room, { recursive: true })
      .map((name) => join(room, String(name)))
      .filter((file) => /\.test\.tsx?$/.test(file) && !(file in leftOut)),
  )
  return run(files.toSorted(), { TEST_STORE: 'postgres' })
}
