import { expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../../src/store/sqlite.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { startServer } from '../../support/server.ts'
import { mintmark, refusal } from '../support/mintmark.ts'

const base = temporaryDirectory()
let made = 0

/** A data directory with one key, a backup of it, and another key that came later. */
async function dataWithBackup() {
  made += 1
  const dataDir = join(base, String(made))
  mkdirSync(dataDir)
  const env = { DATA_DIR: dataDir }
  const server = await startServer({ dataDir })
  const first = await issueKey(server.url)
  const { lines } = await mintmark(['backup', join(base, `${made}-copies`)], { env })
  const second = await issueKey(server.url)
  return {
    dataDir,
    env,
    server,
    copy: lines[0] ?? '',
    database: join(dataDir, 'mintmark.sqlite'),
    first,
    second,
  }
}

async function issueKey(url: string): Promise<string> {
  return ((await (await fetch(`${url}/api/key`)).json()) as { id: string }).id
}

async function usageStatuses(url: string, ids: readonly string[]): Promise<readonly number[]> {
  return Promise.all(ids.map(async (id) => (await fetch(`${url}/api/usage?key=${id}`)).status))
}

test('a backup is put in the place of the database, which is kept beside it', async () => {
  const { dataDir, env, server, copy, database, first, second } = await dataWithBackup()
  await server.stop('SIGKILL')
  const { exitCode, output } = await mintmark(['restore', copy], { env })
  expect([exitCode, output]).toEqual([
    0,
    expect.stringContaining(`${database} is restored. What was there is ${database}.before-restore-`),
  ])
  expect(statSync(database).mode & 0o777).toBe(0o600)
  const again = await startServer({ dataDir })
  expect(await usageStatuses(again.url, [first, second])).toEqual([200, 404])
  await again.stop()
  const kept = readdirSync(dataDir).find((name) => /before-restore-\d+$/.test(name)) ?? ''
  // The way back is the same.
  expect((await mintmark(['restore', join(dataDir, kept)], { env })).exitCode).toBe(0)
  const back = await startServer({ dataDir })
  expect(await usageStatuses(back.url, [first, second])).toEqual([200, 200])
  await back.stop()
})

test('nothing is changed while the service runs', async () => {
  const { env, server, copy, database, first, second } = await dataWithBackup()
  const expected = `The database ${database} is open in another process. Stop the service first.\n`
  expect(await refusal(['restore', copy], { env })).toBe(expected)
  expect(await usageStatuses(server.url, [first, second])).toEqual([200, 200])
  expect(readdirSync(join(database, '..')).filter((name) => /unfinished|before/.test(name))).toEqual([])
  await server.stop()
})

test('a damaged database is replaced too', async () => {
  const { dataDir, env, server, copy, database, first } = await dataWithBackup()
  await server.stop()
  writeFileSync(database, 'no database at all, '.repeat(100))
  expect((await mintmark(['restore', copy], { env })).exitCode).toBe(0)
  const again = await startServer({ dataDir })
  expect(await usageStatuses(again.url, [first])).toEqual([200])
  await again.stop()
})

test('a file that is no backup is refused by its name, and the database stays', async () => {
  const { env, server, copy, database } = await dataWithBackup()
  await server.stop()
  const before = readFileSync(database)
  const wrong = join(base, 'wrong.sqlite')
  expect(await refusal(['restore', '/nowhere'], { env })).toContain('There is no backup at /nowhere')
  writeFileSync(wrong, 'no database at all, '.repeat(100))
  const expected = `${wrong} cannot be restored: it is not a SQLite database`
  expect(await refusal(['restore', wrong], { env })).toContain(expected)
  copyFileSync(copy, wrong)
  const sqlite = openSqlite(wrong)
  sqlite.exec('pragma user_version = 999; pragma journal_mode = delete')
  sqlite.close()
  expect(await refusal(['restore', wrong], { env })).toContain('newer version')
  writeFileSync(wrong, '')
  expect(await refusal(['restore', wrong], { env })).toContain("none of Mintmark's")
  expect(await refusal(['restore', base], { env })).toContain(base)
  expect(readFileSync(database).equals(before)).toBe(true)
  expect(existsSync(`${database}.unfinished`)).toBe(false)
})

/** Runs SQL on a copy, as somebody else with the file might. */
function change(path: string, sql: string): void {
  const sqlite = openSqlite(path)
  sqlite.exec(`${sql}; pragma journal_mode = delete`)
  sqlite.close()
}

test('triggers and views that no release made are refused by name, and the database stays', async () => {
  const { env, server, copy, database } = await dataWithBackup()
  await server.stop()
  const before = readFileSync(database)
  const changed = join(base, 'changed.sqlite')
  const changes = [
    ['create view everything as select * from keys', 'the view everything'],
    ['create trigger spy after insert on keys begin select 1; end', 'the trigger spy'],
    // The name of ours, but not what it does.
    [
      'drop trigger generations_follow_key_changes; create trigger generations_follow_key_changes after update on keys begin select 1; end',
      'the trigger generations_follow_key_changes',
    ],
  ]
  for (const [sql = '', name = ''] of changes) {
    copyFileSync(copy, changed)
    change(changed, sql)
    expect(await refusal(['restore', changed], { env })).toBe(
      `The backup ${changed} cannot be restored: it has ${name}, which no release of Mintmark made.\n`,
    )
  }
  // Names and types that SQLite lets nobody make by its own statements, so they are written into the bytes.
  for (const entry of ['triggersqlite_spy', 'nothingsqlite_spy']) {
    copyFileSync(copy, changed)
    change(changed, 'create trigger sqlitx_spy after insert on keys begin select 1; end')
    const bytes = readFileSync(changed, 'latin1')
    expect(bytes).toContain('triggersqlitx_spy')
    writeFileSync(
      changed,
      bytes.replace('triggersqlitx_spy', entry).replaceAll('sqlitx_spy', 'sqlite_spy'),
      'latin1',
    )
    const errors = await refusal(['restore', changed], { env })
    expect(errors).toContain('cannot be restored')
    expect(errors).toMatch(/sqlite_spy|it is damaged/)
  }
  expect(readFileSync(database).equals(before)).toBe(true)
  expect(readdirSync(join(database, '..')).filter((name) => /unfinished|before/.test(name))).toEqual([])
})

const wrongPaths: [command: string, words: string[], message: string][] = [
  ['backup', ['/dev/null'], 'No backup can be written to /dev/null'],
  ['restore', ['/dev/null/copy'], 'There is no backup at /dev/null/copy'],
  ['restore', ['/'], '/ is no file. Name one of the files that backup wrote.'],
]
test.each(wrongPaths)('%s says which path cannot be used', async (command, words, message) => {
  const { env, server } = await dataWithBackup()
  await server.stop()
  expect((await mintmark([command, ...words], { env })).errors).toContain(message)
})

test('a database that is not there, or cannot be replaced, is named with its settings', async () => {
  const nowhere = { DATA_DIR: '/dev/null/data' }
  const { server, copy } = await dataWithBackup()
  await server.stop()
  const named = '/dev/null/data/mintmark.sqlite (DATA_DIR or DATABASE_URL)'
  expect((await mintmark(['backup'], { env: nowhere })).errors).toBe(`There is no database at ${named}.\n`)
  const expected = `${named} cannot be replaced`
  expect((await mintmark(['restore', copy], { env: nowhere })).errors).toContain(expected)
})
