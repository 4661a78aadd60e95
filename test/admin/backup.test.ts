import { afterAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signUrl } from '../../src/client/sign-url.ts'
import { openStore } from '../../src/store/open.ts'
import { startServer } from '../support/server.ts'
import { slowTest } from '../support/test-size.ts'
import { operatorPassword } from './support/admin-server.ts'
import { logIn } from './support/operator.ts'

const root = join(import.meta.dir, '../..')
const directories: string[] = []
function directory() {
  const made = mkdtempSync(join(tmpdir(), 'mintmark-backup-'))
  directories.push(made)
  return made
}
afterAll(() => {
  for (const each of directories) rmSync(each, { recursive: true, force: true })
})
const env = { ADMIN_PASSWORD: operatorPassword }

function backup(dataDir: string, ...words: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['run', '--silent', 'backup', ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
  })
  return { path: stdout.trim(), stderr, status }
}

describe('a backup', () => {
  test('brings everything back: wiped and restored, an old signed URL is still answered', async () => {
    const dataDir = directory()
    const first = await startServer({ dataDir, env })
    const pair = (await (await fetch(`${first.url}/api/key`)).json()) as { id: string; secret: string }
    const path = await signUrl('http://host/api/og?title=Kept', { key: pair.id, secret: pair.secret })
    async function call(url: string) {
      return (await fetch(path.replace('http://host', url))).status
    }
    expect(await call(first.url)).toBe(200)

    // The service runs meanwhile.
    const kept = directory()
    const { path: copy, status } = backup(dataDir, kept)
    expect([status, copy.startsWith(kept), existsSync(copy)]).toEqual([0, true, true])
    expect(readdirSync(kept)).toHaveLength(1)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    copyFileSync(join(dataDir, 'master.key'), join(kept, 'master.key'))
    await first.stop()

    rmSync(dataDir, { recursive: true })
    const restored = directory()
    copyFileSync(copy, join(restored, 'mintmark.sqlite'))
    copyFileSync(join(kept, 'master.key'), join(restored, 'master.key'))
    const second = await startServer({ dataDir: restored, env })
    expect(await call(second.url)).toBe(200)
    const usage = (await (await fetch(`${second.url}/api/usage?key=${pair.id}`)).json()) as { used: number }
    expect(usage.used).toBe(2)
    await second.stop()
  })

  slowTest('can be made in the settings, which say when the last one was', async () => {
    const server = await startServer({ env })
    const operator = await logIn(server)
    expect(await operator.page('/admin/settings')).toContain('none yet')
    expect((await operator.post('/admin/backup')).status).toBe(303)
    const [name = ''] = readdirSync(join(server.dataDir, 'backups'))
    expect((await operator.page('/admin/settings')).replaceAll('<wbr/>', '')).toContain(name)
    const copy = openStore({ path: join(server.dataDir, 'backups', name) })
    expect(copy.check()).toEqual({ ok: true })
    await copy.close()
    await server.stop()
  })

  test('of nothing is refused, and leaves nothing behind', () => {
    const target = directory()
    const { status, stderr } = backup(join(target, 'no-such-place'), target)
    expect(status).toBe(1)
    expect(stderr).toContain('There is no database')
    expect(readdirSync(target)).toEqual([])
  })
})
