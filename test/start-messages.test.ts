import { afterAll, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/store/sqlite.ts'
import { holdLock } from './support/hold-lock.ts'
import { startServer } from './support/server.ts'
import { mountSmallDisk } from './support/small-disk.ts'

const root = join(import.meta.dirname, '..')
const base = mkdtempSync(join(tmpdir(), 'mintmark-start-'))
chmodSync(base, 0o755)
const disk = mountSmallDisk()
afterAll(() => {
  disk?.remove()
  rmSync(base, { recursive: true, force: true })
})
let made = 0

function newDirectory(): string {
  made += 1
  const path = join(base, String(made))
  mkdirSync(path)
  return path
}

/** A user without rights of its own. */
const nobody = 65_534

/** A Bun that `nobody` may run, with the right to read this program; undefined where folders are closed to others. */
function findBunForNobody(): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  const reads = `require('node:fs').accessSync(${JSON.stringify(join(root, 'src/main.ts'))})`
  return [process.execPath, join(root, 'node_modules/bun/bin/bun.exe')].find(
    (bun) => spawnSync(bun, ['-e', reads], { uid: nobody, gid: nobody, cwd: '/' }).status === 0,
  )
}

const bunForNobody = findBunForNobody()
if (bunForNobody === undefined)
  console.log('left out, as no other user may run this program here: a folder without the right to write')

/** The message of a server that does not start. */
async function refusal(
  env: Readonly<Record<string, string>>,
  { bun = process.execPath, uid }: { readonly bun?: string; readonly uid?: number } = {},
): Promise<string> {
  const child = spawn(bun, [join(root, 'src/main.ts')], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: base, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, said.trim().split('\n').length]).toEqual([1, 1])
  return said
}

describe('a start that the database refuses names the file, the setting and what helps', () => {
  test('where the file is not a database', async () => {
    const directory = newDirectory()
    writeFileSync(join(directory, 'mintmark.sqlite'), 'no database at all, '.repeat(100))
    const said = await refusal({ DATA_DIR: directory })
    expect(said).toContain(`The database ${directory}/mintmark.sqlite (DATA_DIR) is not a SQLite database`)
    expect(said).toContain('restore a backup')
  })

  test('where DATABASE_URL names a directory', async () => {
    const directory = newDirectory()
    const said = await refusal({ DATA_DIR: directory, DATABASE_URL: `sqlite:${directory}` })
    expect(said).toContain(`The database ${directory} (DATABASE_URL) cannot be opened`)
  })

  test('where a file stands in the way of the directory', async () => {
    const directory = newDirectory()
    writeFileSync(join(directory, 'file'), '')
    const said = await refusal({ DATA_DIR: join(directory, 'file/data') })
    expect(said).toContain(`The database ${directory}/file/data/mintmark.sqlite (DATA_DIR) cannot be opened`)
  })

  test('where it was written by a newer version', async () => {
    const directory = newDirectory()
    await (await startServer({ dataDir: directory })).stop()
    const sqlite = openSqlite(join(directory, 'mintmark.sqlite'))
    sqlite.exec('pragma user_version = 999')
    sqlite.close()
    const said = await refusal({ DATA_DIR: directory })
    expect(said).toContain(`${directory}/mintmark.sqlite (DATA_DIR) was written by a newer version`)
  })

  test('where another process holds the lock for longer than a start waits', async () => {
    const directory = newDirectory()
    await (await startServer({ dataDir: directory })).stop()
    const lock = await holdLock(join(directory, 'mintmark.sqlite'))
    const said = await refusal({ DATA_DIR: directory })
    await lock.release()
    expect(said).toContain(`${directory}/mintmark.sqlite (DATA_DIR) is locked by another process`)
    expect(said).toContain('sqlite3 shell')
  })

  test.skipIf(bunForNobody === undefined)('where this user may not write', async () => {
    const directory = newDirectory()
    const otherUser = { ...(bunForNobody !== undefined && { bun: bunForNobody }), uid: nobody }
    const said = await refusal({ DATA_DIR: join(directory, 'data') }, otherUser)
    expect(said).toContain(`The database ${directory}/data/mintmark.sqlite (DATA_DIR) cannot be opened`)
    await (await startServer({ dataDir: directory })).stop()
    chmodSync(directory, 0o755)
    chmodSync(join(directory, 'mintmark.sqlite'), 0o644)
    const readOnly = await refusal({ DATA_DIR: directory }, otherUser)
    expect(readOnly).toMatch(/mintmark\.sqlite \(DATA_DIR\) (?:is read-only|cannot be opened)/)
    expect(readOnly).toContain('right to write')
  })

  test.skipIf(disk === undefined)('where the disk is full', async () => {
    if (disk === undefined) return
    disk.fill()
    const said = await refusal({ DATA_DIR: disk.path })
    disk.empty()
    expect(said).toMatch(/mintmark\.sqlite \(DATA_DIR\) (?:cannot grow|cannot be read or written)/)
    expect(said).toMatch(/space/)
  })
})

describe('a master key that is lost', () => {
  test('is said to be missing, and nothing is written in its place', async () => {
    const directory = newDirectory()
    const server = await startServer({ dataDir: directory })
    expect((await fetch(`${server.url}/api/key`)).status).toBe(200)
    await server.stop()
    rmSync(join(directory, 'master.key'))
    const said = await refusal({ DATA_DIR: directory })
    expect(said).toContain(`${directory}/master.key is missing (DATA_DIR)`)
    expect(said).toContain('MASTER_KEY')
    expect(existsSync(join(directory, 'master.key'))).toBe(false)
    expect(readdirSync(directory).filter((name) => name.startsWith('master'))).toEqual([])
  })

  test('is made anew while nothing depends on it', async () => {
    const directory = newDirectory()
    await (await startServer({ dataDir: directory })).stop()
    rmSync(join(directory, 'master.key'))
    expect(await (await startServer({ dataDir: directory })).stop()).toBe(0)
  })
})
