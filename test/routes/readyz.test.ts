import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { holdLock } from '../support/hold-lock.ts'
import { startServer, type TestServer } from '../support/server.ts'

let dataDir: string
let database: string
let server: TestServer
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'mintmark-ready-'))
  database = join(dataDir, 'mintmark.sqlite')
  // Its journal is in the file when it ends, so that what is done to the file is done to the data.
  await (await startServer({ dataDir })).stop()
  server = await startServer({ dataDir })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})
afterEach(async () => {
  await server.stop('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function detailWhenNot(path: string, status: number): Promise<string> {
  const answer = await eventually(async () => {
    const found = await fetch(server.url + path)
    return found.status === status && found
  })
  return status === 200 ? '' : (((await answer.json()) as { detail?: string }).detail ?? '')
}

const call = '/api/og?title=a&demo=1'
function logged(message: string) {
  return server.lines
    .filter((line) => line['message'] === message)
    .map((line) => String(line['reason']))
    .join('\n')
}

test.each([
  ['deleted', () => rmSync(database)],
  [
    'replaced',
    () => {
      copyFileSync(database, `${database}.copy`)
      renameSync(`${database}.copy`, database)
    },
  ],
  ['robbed of its journal', () => rmSync(`${database}-wal`)],
  ['robbed of the index of its journal', () => rmSync(`${database}-shm`)],
])(
  'a server whose database file was %s is not ready, and takes no call that would be lost',
  async (_, harm) => {
    harm()
    const detail = await detailWhenNot('/readyz', 503)
    expect(detail).toBe('The store is not ready: the database was deleted or replaced while it was open.')
    await detailWhenNot(call, 503)
    expect((await fetch(`${server.url}/api/key`)).status).toBe(503)
    for (const message of ['not ready', 'busy'])
      await eventually(() => logged(message).includes(`${database} (DATA_DIR) was deleted or replaced`))
  },
)

test('a server whose database file was away for a moment goes on', async () => {
  renameSync(database, `${database}.away`)
  await detailWhenNot('/readyz', 503)
  renameSync(`${database}.away`, database)
  await detailWhenNot('/readyz', 200)
  await detailWhenNot(call, 200)
  expect((await fetch(server.url + call)).status).toBe(200)
})

test('what was accepted before the journal was deleted is stored when the server ends', async () => {
  const issued = (await (await fetch(`${server.url}/api/key`)).json()) as { id: string }
  rmSync(`${database}-wal`)
  await detailWhenNot(call, 503)
  await server.stop()
  server = await startServer({ dataDir })
  const usage = await fetch(`${server.url}/api/usage?key=${issued.id}`)
  expect(usage.status).toBe(200)
})

test.each([
  ['all of it', 0],
  ['all but its first page', 4096],
])('a server whose database was overwritten, %s, is not ready', async (_, from) => {
  const file = openSync(database, 'r+')
  writeSync(file, Buffer.alloc(statSync(database).size - from, 'garbage'), 0, null, from)
  closeSync(file)
  expect(await detailWhenNot('/readyz', 503)).toMatch(/is damaged|is not a SQLite database/)
  expect((await fetch(server.url + call)).status).not.toBe(500)
})

test('a server whose database is locked by another process is not ready until it is let go', async () => {
  const lock = await holdLock(database)
  expect(await detailWhenNot('/readyz', 503)).toContain('is locked by another process')
  expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({
    title: 'The service is not ready',
  })
  await lock.release()
  await detailWhenNot('/readyz', 200)
})

test('what asks whether a server is ready cannot load its database', async () => {
  const sizeBefore = statSync(`${database}-wal`).size
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${server.url}/readyz`)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  }
  // Each write is a page and its head: fewer than one for ten questions, however slow the machine.
  expect(statSync(`${database}-wal`).size - sizeBefore).toBeLessThan(50 * 3 * 4200)
})
