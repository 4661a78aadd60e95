import { afterAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { slowTest } from '../support/test-size.ts'

const root = join(import.meta.dir, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-first-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts the program, waits until every process of it listens, and answers what it wrote. */
async function output(env: Readonly<Record<string, string>>, workers: number) {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DRAIN_MS: '0',
      WORKERS: String(workers),
      ...env,
    },
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      written[name] += String(chunk)
    })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const isLinkShown = env['ADMIN_PASSWORD'] === undefined
  await eventually(() => written.stdout.split('"listening"').length - 1 === workers)
  await eventually(() => !isLinkShown || links(written.stderr).length > 0)
  // One more would come about now.
  await Bun.sleep(100)
  child.kill('SIGTERM')
  await exited
  return written
}

function links(text: string) {
  return text.match(/http:\/\/localhost:\d+\/admin\/setup\?token=[\w-]{32}/g) ?? []
}

test('one set-up link goes to the terminal, and none into the log, however many workers there are', async () => {
  const { stdout, stderr } = await output({}, 2)
  expect(links(stderr)).toHaveLength(1)
  expect(links(stdout)).toHaveLength(0)
})

slowTest('no link is printed where a password is set', async () => {
  const { stderr } = await output({ ADMIN_PASSWORD: 'correct horse battery' }, 1)
  expect(stderr).toBe('')
})
