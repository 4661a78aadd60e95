import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { freePort } from '../../support/free-port.ts'
import { mintmark } from '../support/mintmark.ts'

const guide = new URL('../../../docs/OPERATIONS.md', import.meta.url)

/** Runs the receiver of the guide; its first output is the text of an alert. */
async function startReceiver(secret: string) {
  const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync(guide, 'utf8')) ?? []
  const port = await freePort()
  const file = join(temporaryDirectory(), 'receiver.mjs')
  writeFileSync(file, code.replace('.listen(9000)', `.listen(${port}, () => console.log('listening'))`))
  const child = spawn(process.execPath, [file], { env: { ALERT_WEBHOOK_SECRET: secret } })
  await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${port}/`, child }
}

async function alertsLine(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const settings = { DATA_DIR: temporaryDirectory(), PORT: '1', ...env }
  const { exitCode, output } = await mintmark(['doctor', ...words], { env: settings })
  return { exitCode, line: output.split('\n').find((line) => line.includes(' alerts ')) }
}

test('sends a test alert and says what answered, unless told not to; the receiver of the guide takes what has the secret', async () => {
  const { url, child } = await startReceiver('the secret')
  try {
    const env = {
      ALERT_WEBHOOK_URL: url,
      ALERT_WEBHOOK_SECRET: 'the secret',
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    }
    expect(await alertsLine(env, '--no-alert')).toEqual({
      exitCode: 0,
      line: 'ok       alerts    on, and not tried.',
    })
    const said = once(child.stdout, 'data')
    expect(await alertsLine(env)).toEqual({
      exitCode: 0,
      line: 'ok       alerts    a test alert was sent. The receiver answered with status 204.',
    })
    expect(String(await said)).toBe('This is a test: alerts arrive here.\n')
    const { ALERT_WEBHOOK_SECRET: _, ...unsigned } = env
    const refused = 'the test alert did not arrive. The receiver answered with status 401.'
    for (const others of [unsigned, { ...env, ALERT_WEBHOOK_SECRET: 'another secret' }]) {
      const { exitCode, line } = await alertsLine(others)
      expect([exitCode, line]).toEqual([1, expect.stringContaining(refused)])
    }
    expect((await alertsLine({ ...env, FETCH_ALLOW_CIDRS: '' })).line).toContain(
      'The host is not on the public internet. The operator can allow its address with FETCH_ALLOW_CIDRS.',
    )
  } finally {
    child.kill()
  }
})

test('says where there is no receiver, which is a fault only where one was asked for', async () => {
  expect((await alertsLine({})).exitCode).toBe(0)
  const asked = await alertsLine({}, '--alert')
  expect([asked.exitCode, asked.line]).toEqual([1, expect.stringContaining('ALERT_WEBHOOK_URL is not set')])
})
