import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { hasPostgres } from './postgres.ts'
import plan from './test-plan.json' with { type: 'json' }

/** Files that are tested at once: one more than cores, because some tests wait; more on a large machine would want its memory. */
const lanes = Math.min(4, availableParallelism() + 1)

/**
 * Runs every file but the slow ones of `test-plan.json`, in the quick form that those which import `test-size.ts` have. With
 * `--all` it runs the slow files, the whole of the files with a quick form, and over PostgreSQL the files that the plan names.
 * With `CI=1` each file runs once: the first command runs whole files, and `--all` only the rest.
 *
 * With `--postgres` only the files over PostgreSQL run; with the names of files or rooms only these, whole. Other options go
 * to `bun test`, for example `--randomize` and `--seed=<number>`. Ends with 1 if a test failed.
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
  if (names.length > 0) return await run([...inLanes, ...names])
  const slow = slowFiles()
  const quick = testFiles().filter((file) => !slow.includes(file))
  const isCi = process.env['CI'] === '1'
  if (isAll) {
    const hasPassedOnce = await run([
      ...inLanes,
      ...paths(slow),
      ...paths(isCi ? [] : quick.filter(hasQuickForm)),
    ])
    return (await runOnPostgres()) && hasPassedOnce
  }
  return await run([...inLanes, ...paths(quick)], 'inherit', isCi ? {} : { TEST_SIZE: 'quick' })
}

/** The slow files of the plan, which are there. */
function slowFiles(): readonly string[] {
  return Object.values(plan.slow).flatMap(existing)
}

/** Files that ask for the size of the run have a quick form. */
function hasQuickForm(file: string): boolean {
  return /support\/(?:test-size|check)\.ts'/.test(readFileSync(file, 'utf8'))
}

function existing(files: readonly string[]): readonly string[] {
  const all = new Set(testFiles())
  const missing = files.filter((file) => !all.has(`test/${file}`))
  if (missing.length > 0)
    throw new Error(`test-plan.json names files that are not there: ${missing.join(', ')}`)
  return files.map((file) => `test/${file}`)
}

/** Turns names into paths, because Bun takes a bare name as a part of file names. */
function paths(files: readonly string[]): readonly string[] {
  return files.map((file) => `./${file}`)
}

function testFiles(): readonly string[] {
  return readdirSync('test', { recursive: true })
    .map((name) => join('test', String(name)))
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
  const files = existing(plan.postgres)
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
