import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletEnv } from '../../payments/support/wallet-env.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { freePort } from '../../support/free-port.ts'
import { startServer } from '../../support/server.ts'
import { slowTest } from '../../support/test-size.ts'
import { mintmark } from '../support/mintmark.ts'

/** Runs the command; `said` has its words on each check, by name. */
async function doctor(env: Readonly<Record<string, string>>) {
  const { exitCode, output, errors } = await mintmark(['doctor'], { env })
  expect(errors).toBe('')
  const lines = output.trimEnd().split('\n')
  const said = lines.map((line) => {
    const [, state, name = '', text] = /^(\w+) +(\w+) +(.*)$/.exec(line) ?? []
    return [name, `${state}: ${text}`] as const
  })
  return { exitCode, lines, said: Object.fromEntries(said) }
}

slowTest('before the first start all is well, nothing is made, and ten lines say so', async () => {
  const folder = join(temporaryDirectory(), 'data')
  const { exitCode, lines, said } = await doctor({ DATA_DIR: folder, PORT: '1' })
  expect([exitCode, lines.length <= 10]).toEqual([0, true])
  expect(said).toMatchObject({
    settings: 'ok: valid',
    folder: `ok: ${folder} is missing; the first start makes it`,
    payments: 'ok: off (X402_PAY_TO is not set)',
    address: 'ok: no server runs on port 1',
  })
  expect(said['fonts']).toStartWith('ok: ')
  expect(await Bun.file(folder).exists()).toBe(false)
})

test('every wrong setting is a line, and the exit code tells', async () => {
  const { exitCode, lines } = await doctor({ PORT: '70000', DRAIN_MS: 'soon' })
  expect(exitCode).toBe(1)
  expect(lines).toEqual([
    expect.stringMatching(/^bad {6}settings {2}PORT must be /),
    expect.stringMatching(/^bad {6}settings {2}DRAIN_MS must be /),
  ])
})

test('beside a running server the database and the address are well; a lost master key is not', async () => {
  const folder = join(temporaryDirectory(), 'data')
  const server = await startServer({ env: { DATA_DIR: folder } })
  const env = { DATA_DIR: folder, BASE_URL: server.url }
  try {
    await fetch(`${server.url}/api/key`)
    const { exitCode, said } = await doctor(env)
    expect(exitCode).toBe(0)
    expect(said).toMatchObject({
      folder: `ok: ${folder} is this user's alone`,
      database: `ok: ${join(folder, 'mintmark.sqlite')} has the tables of this version`,
      address: `ok: ${server.url} answers`,
    })
  } finally {
    await server.stop()
  }
  rmSync(join(folder, 'master.key'))
  const { exitCode, said } = await doctor(env)
  expect(exitCode).toBe(1)
  expect(said['database']).toStartWith('bad: master.key is missing')
  expect(said['address']).toStartWith(`warning: ${server.url} cannot be reached from here`)
})

test('an open folder, a file that is no database, an RPC that is away and a proxy that is not named are said', async () => {
  const folder = join(temporaryDirectory(), 'data')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'mintmark.sqlite'), 'noise '.repeat(2000))
  const { exitCode, said } = await doctor({
    ...walletEnv('http://127.0.0.1:9'),
    DATA_DIR: folder,
    BASE_URL: 'https://mintmark.invalid',
  })
  expect(exitCode).toBe(1)
  expect(said['folder']).toStartWith(`warning: ${folder} has mode 755`)
  expect(said['database']).toStartWith('bad: ')
  expect(said['payments']).toStartWith('warning: ')
  expect(said['address']).toStartWith('warning: https://mintmark.invalid cannot be reached')
  expect(said['proxy']).toContain('TRUSTED_PROXIES is empty')
})

slowTest(
  'a proxy that nearly all callers come through and nobody named is said in the log and by doctor',
  async () => {
    const folder = join(temporaryDirectory(), 'data')
    const server = await startServer({ env: { DATA_DIR: folder } })
    try {
      const { site } = await (await fetch(`${server.url}/api/key?hosts=example.com`)).json()
      // A page at a port that is not fetched from: nothing leaves this machine.
      for (let page = 0; page < 30; page += 1)
        await fetch(`${server.url}/api/card?site=${site}&page=https://example.com:81/${page}`)
      const warnings = () => server.lines.filter(({ message }) => String(message).includes('TRUSTED_PROXIES'))
      while (warnings().length === 0) await Bun.sleep(25)
      expect(warnings()).toMatchObject([{ level: 'warn', address: '127.0.0.1' }])
      const { exitCode, said } = await doctor({ DATA_DIR: folder, BASE_URL: server.url })
      expect(exitCode).toBe(0)
      expect(said['proxy']).toMatch(/^warning: .*name it in TRUSTED_PROXIES \(127\.0\.0\.1\)$/)
    } finally {
      await server.stop()
    }
  },
)

const guide = new URL('../../../docs/monitoring.md', import.meta.url)

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
