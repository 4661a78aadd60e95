import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { hasPostgres } from './postgres.ts'
import { notOnPostgres, postgresRooms, quickForms, slowFiles } from './test-plan.ts'

/** Files that are tested at once: one more than cores, because some tests wait; more on a large machine would want its memory. */
const lanes = Math.min(4, availableParallelism() + 1)

/**
 * Runs the quick tests; with `--all` those that take longer, with `--postgres` only those of the API over PostgreSQL, with
 * the names of files or rooms the whole of these. Other options go to `bun test`, for example `--randomize` and
 * `--seed=<number>`. Ends with 1 if a test failed.
 */
const words = process.argv.slice(2)
const isAll = words.includes('--all')
const isPostgres = words.includes('--postgres')
const names = words.filter((word) => !word.startsWith('--'))
const ownOptions = words.filter((word) => word.startsWith('--') && word !== '--all' && word !== '--postgres')
const hasPassed = await runAll()
process.exit(hasPassed ? 0 : 1)

async function runAll(): Promise<boolean> {
  const inLanes = [`--parallel=${lanes}`, '--no-isolate']
  if (isPostgres) return await runOnPostgres()
  if (isAll) {
    const hasPassedOnce = await run([
      ...inLanes,
      ...paths([...Object.keys(slowFiles), ...Object.keys(quickForms)]),
    ])
    return (await runOnPostgres()) && hasPassedOnce
  }
  if (names.length > 0) return await run([...inLanes, ...names])
  const files = testFiles('test').filter((file) => !(file in slowFiles))
  return await run([...inLanes, ...paths(files)], 'inherit', { TEST_SIZE: 'quick' })
}

/** Turns names into paths, because Bun takes a bare name as a part of file names. */
function paths(files: readonly string[]): readonly string[] {
  return files.map((file) => `./${file}`)
}

function testFiles(room: string): readonly string[] {
  return readdirSync(room, { recursive: true })
    .map((name) => join(room, String(name)))
    .filter((file) => /\.test\.tsx?$/.test(file))
    .toSorted()
}

/** Whether all passed. */
function run(
  options: readonly string[],
  output: 'inherit' | number = 'inherit',
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, ['test', ...ownOptions, ...options], {
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
  for (const [file, reason] of Object.entries(notOnPostgres))
    console.log(`left out over PostgreSQL: ${file}, ${reason}`)
  const files = postgresRooms.flatMap(testFiles).filter((file) => !(file in notOnPostgres))
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-tests-'))
  const passes = Array.from({ length: lanes }, (_, lane) => {
    const path = join(directory, `${lane}.log`)
    const output = openSync(path, 'w')
    const part = paths(files).filter((_, at) => at % lanes === lane)
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
