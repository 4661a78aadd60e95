import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mintmarkProcess } from './cli/support/mintmark.ts'
import { startServer } from './support/server.ts'

const base = mkdtempSync(join(tmpdir(), 'mintmark-private-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
// The usual umask: without a mode of our own, everybody could read the files.
const umask = process.umask(0o022)
afterAll(() => process.umask(umask))

/** Every file and folder below a folder, itself included, that others have rights to. */
function openPlaces(folder: string): readonly string[] {
  const all = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))]
  return all.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
}

test.each(['bun', 'deno'] as const)(
  'nobody else has rights to anything in a new data folder, under umask 022 on %s',
  async (runtime) => {
    const dataDir = join(base, runtime, 'srv/data')
    const env = { DATA_DIR: dataDir }
    const server = await startServer({ dataDir, runtime })
    expect((await fetch(`${server.url}/api/key`)).status).toBe(200)
    const names = readdirSync(dataDir)
    for (const name of ['mintmark.sqlite', 'mintmark.sqlite-wal', 'mintmark.sqlite-shm', 'master.key'])
      expect(names).toContain(name)
    expect(server.complaints.join('')).not.toContain('have rights to')
    const { lines } = await mintmarkProcess(['backup'], { env })
    expect(openPlaces(join(base, runtime))).toEqual([])
    await server.stop()

    const restored = join(base, runtime, 'restored')
    const copy = lines[0] ?? ''
    chmodSync(copy, 0o644)
    expect((await mintmarkProcess(['restore', copy], { env: { DATA_DIR: restored } })).exitCode).toBe(0)
    chmodSync(join(restored, 'mintmark.sqlite'), 0o644)
    // A file that an earlier version left readable is closed when it is replaced.
    expect((await mintmarkProcess(['restore', copy], { env: { DATA_DIR: restored } })).exitCode).toBe(0)
    expect(openPlaces(restored)).toEqual([])
  },
)

test('a data folder that others have rights to is said at the start, with what closes it', async () => {
  const dataDir = mkdtempSync(join(base, 'open-'))
  chmodSync(dataDir, 0o755)
  const server = await startServer({ dataDir })
  await server.stop()
  const said = server.complaints.join('')
  expect(said).toContain(`Other users of this machine have rights to ${dataDir} (mode 755)`)
  const [, command = ''] = /Run: (.*)/.exec(said) ?? []
  spawnSync('sh', ['-c', command])
  expect(openPlaces(dataDir)).toEqual([])
  const again = await startServer({ dataDir })
  await again.stop()
  expect(again.complaints.join('')).not.toContain('have rights to')
})
