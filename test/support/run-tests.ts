import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
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

/** Files that are tested at once: two keep two cores busy, and more on a large machine would want its memory. */
const lanes = Math.min(4, Math.max(2, availableParallelism()))

/**
 * Runs every test, and then those of the API again over PostgreSQL. With `--postgres` it runs only those, with the names of
 * files or rooms these alone. Ends with 1 if a test failed.
 */
const words = process.argv.slice(2)
const isAgainOnly = words.includes('--postgres')
const hasPassed = isAgainOnly || (await run([`--parallel=${lanes}`, '--no-isolate', ...words]))
const hasPassedAgain = words.length > 0 && !isAgainOnly ? true : await runOnPostgres()
process.exit(hasPassed && hasPassedAgain ? 0 : 1)

/** Whether all passed. */
function run(
  options: readonly string[],
  output: 'inherit' | number = 'inherit',
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, ['test', '--timeout', '60000', ...options], {
    stdio: ['inherit', output, output],
    env: { ...process.env, ...env },
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}

/**
 * Files that share a database server share a process: what `--parallel` starts ends its children after each file. So there
 * are as many processes, each with a part of the files, and what they say is printed one after the other.
 */
async function runOnPostgres(): Promise<boolean> {
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
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-tests-'))
  const passes = Array.from({ length: lanes }, (_, lane) => {
    const path = join(directory, `${lane}.log`)
    const output = openSync(path, 'w')
    const part = files.toSorted().filter((_, at) => at % lanes === lane)
    const ended = run(part, output, { TEST_STORE: 'postgres' })
    return { path, ended: ended.finally(() => closeSync(output)) }
  })
  const results: boolean[] = []
  for (const { path, ended } of passes) {
    results.push(await ended)
    await new Promise((resolve) => process.stdout.write(readFileSync(path), resolve))
  }
  rmSync(directory, { recursive: true })
  return results.every(Boolean)
}
