import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './support/free-port.ts'
import { startServer } from './support/server.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder that has nothing to do with the source: no package, no settings of TypeScript, no modules. */
function strangeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-elsewhere-'))
  folders.push(folder)
  return folder
}

describe.each(['bun', 'deno'] as const)('started by %s from another folder', (runtime) => {
  test('every page, a PNG and the fonts of other scripts are served, and the data lies in that folder', async () => {
    const cwd = strangeFolder()
    const env = { DATA_DIR: './data', ADMIN_PASSWORD: 'correct-horse' }
    const server = await startServer({ cwd, runtime, env })
    try {
      for (const path of [
        '/',
        '/docs',
        '/docs/errors',
        '/docs/guides',
        '/docs/astro',
        '/status',
        '/bot',
        '/admin/login',
        '/readyz',
      ]) {
        const response = await fetch(server.url + path)
        expect([path, response.status, await response.text()]).toEqual([path, 200, expect.any(String)])
      }
      const png = await fetch(`${server.url}/api/og.png?title=${encodeURIComponent('私たちの方法')}&demo=1`)
      expect(png.status).toBe(200)
      expect(existsSync(join(cwd, 'data/mintmark.sqlite'))).toBe(true)
    } finally {
      await server.stop()
    }
  })
})

test('several workers are started from another folder too', async () => {
  const cwd = strangeFolder()
  const env = { DATA_DIR: './data', WORKERS: '2', PORT: String(await freePort()) }
  const server = await startServer({ cwd, env })
  try {
    expect((await fetch(`${server.url}/docs`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('URLs are signed from another folder', () => {
  const words = ['sign', '--key', 'mk_2345678abcdefghj', '--secret', 'b'.repeat(64), '--title', 'Hi']
  const main = join(import.meta.dir, '../src/main.ts')
  const { stdout, stderr } = Bun.spawnSync([process.execPath, main, ...words], { cwd: strangeFolder() })
  expect([String(stderr), String(stdout)]).toEqual(['', expect.stringContaining('/i/og/mk_')])
})
