import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { rootCertificates } from 'node:tls'
import { assets } from '../src/catalog.ts'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { readConfig, settings, withPrice } from '../src/config.ts'
import { SettingsError } from '../src/lib/settings.ts'
import cases from './config.json' with { type: 'json' }
import { startServer } from './support/server.ts'
import { runtimes, slowTest } from './support/test-size.ts'

function noFiles(_path: string): string {
  throw new Error('no such file')
}

/** The mistakes that an environment has. */
function mistakesIn(env: Record<string, string>, readFile = noFiles): readonly string[] {
  try {
    readConfig(env, readFile)
    return []
  } catch (error) {
    return mistakesOf(error)
  }
}

function mistakesOf(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.mistakes
  throw error
}

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({}, noFiles)
  expect(config).toMatchObject({ ...cases.defaults, BASE_URL: undefined })
  const og = assets.find(({ id }) => id === 'og')
  expect(og && withPrice({ ...og, priceMicros: 1 }, config).priceMicros).toBe(10_000)
})

test('a variable that is set to nothing counts as unset', () => {
  expect(readConfig({ PORT: '', BASE_URL: '' }, noFiles)).toMatchObject({ PORT: 3000, BASE_URL: undefined })
})

test('a file that a setting names must be there, and is missed together with other mistakes', () => {
  const env = { FETCH_CA_FILE: '/nowhere/root.pem', PORT: 'many' }
  const expected = [expect.stringContaining('PORT'), 'FETCH_CA_FILE names a file that cannot be read']
  expect(mistakesIn(env)).toEqual(expected)
  const root = rootCertificates[0] ?? ''
  const found = readConfig({ FETCH_CA_FILE: '/etc/root.pem' }, () => root)
  expect(found.FETCH_CA_FILE).toBe('/etc/root.pem')
})

test('all mistakes are reported at once, each with its name', () => {
  const wrong = cases.wrong
  const mistakes = mistakesIn(wrong)
  expect(mistakes.map((mistake) => mistake.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
})

test('an unknown name under our prefixes stops the start, and any other is nobody’s business', () => {
  expect(
    mistakesIn({ X402_PAYTO: '1', FETCH_TIMEOUT: '1', PRICE_TEAPOT: '1', HOME: '/', NPM_X402_: '1' }),
  ).toEqual([
    expect.stringMatching(/^X402_PAYTO is not a setting .*X402_PAY_TO/),
    expect.stringMatching(/^FETCH_TIMEOUT is not a setting/),
    expect.stringMatching(/^PRICE_TEAPOT is not a setting .*PRICE_OG/),
  ])
})

test('every setting may come from a file, trimmed', () => {
  const files: Record<string, string> = { '/run/password': 'correct horse\n', '/run/port': '8080' }
  function readFile(path: string) {
    return files[path] ?? noFiles(path)
  }
  const config = readConfig({ ADMIN_PASSWORD_FILE: '/run/password', PORT_FILE: '/run/port' }, readFile)
  expect(config).toMatchObject({ ADMIN_PASSWORD: 'correct horse', PORT: 8080 })
  const expected = [expect.stringContaining('cannot be read from the file that X402_SETTLER_KEY_FILE names')]
  expect(mistakesIn({ X402_SETTLER_KEY_FILE: '/none' }, readFile)).toEqual(expected)
  expect(mistakesIn({ PORT: '1', PORT_FILE: '/run/port' }, readFile)).toEqual([
    expect.stringContaining('twice'),
  ])
})

test('no complaint shows a secret', () => {
  const complaints = mistakesIn({
    ADMIN_PASSWORD: 'short',
    X402_SETTLER_KEY: '0xbad',
    MASTER_KEY: 'feed',
  }).join('\n')
  for (const secret of ['short', '0xbad', 'feed']) expect(complaints).not.toContain(secret)
})

test('every setting says what it is for', () => {
  for (const { doc } of Object.values(settings)) expect(doc).toMatch(/^\S.{10,}\.$/)
})

test('a price is above zero: what costs nothing could not be told from what was not paid', () => {
  expect(mistakesIn({ PRICE_OG: '0', UPGRADE_PRICE: '0.00' })).toEqual([
    expect.stringMatching(/^UPGRADE_PRICE .*above 0/),
    expect.stringMatching(/^PRICE_OG .*above 0/),
  ])
})

function mistakesAtStart(env: Record<string, string>, readFile = noFiles): Promise<readonly string[]> {
  return readStartConfig(env, readFile).then(() => [], mistakesOf)
}

const together = cases.together as unknown as [Record<string, string>, string[]][]

test.each(together)('%j: every mistake is listed in one start', async (env, expected) => {
  const mistakes = await mistakesAtStart(env)
  expect(mistakes).toEqual(expected.map((pattern) => expect.stringMatching(new RegExp(pattern))))
})

test('a setting that is wrong by itself is not blamed once more for what it does to others', async () => {
  const mistakes = await mistakesAtStart({
    X402_PAY_TO: '0x12',
    X402_RPC_URLS: 'ftp://x',
    X402_RPC_QUORUM: '3',
  })
  expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual(['X402_PAY_TO', 'X402_RPC_URLS'])
})

test('without a wallet the other settings of payments may be as they like', async () => {
  expect(await mistakesAtStart({ X402_SETTLE: 'self', X402_RPC_QUORUM: '3' })).toEqual([])
})

test.each([
  ['0x0000000000000000000000000000000000000000000000000000000000000000'],
  ['0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
])('%s is no private key, which is said with its setting’s name and without the key', async (key) => {
  const [mistake = '', ...more] = await mistakesAtStart({ X402_SETTLER_KEY: key })
  expect([mistake, more]).toEqual([expect.stringMatching(/^X402_SETTLER_KEY must be a private key/), []])
  expect(mistake).not.toContain(key.slice(2, 20))
})

test.each([['a root'], ['-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n']])(
  'a root that is no certificate is missed by its setting’s name: %j',
  async (contents) => {
    const expected = ['FETCH_CA_FILE names a file that holds no certificate as PEM']
    expect(await mistakesAtStart({ FETCH_CA_FILE: '/etc/root.pem' }, () => contents)).toEqual(expected)
  },
)

slowTest(
  'names, addresses and ports that cannot be listened on are refused in words that say what to do',
  async () => {
    const inTheWay = createServer().listen(0, '127.0.0.1')
    await once(inTheWay, 'listening')
    const { port } = inTheWay.address() as AddressInfo
    const starts = [
      [{ HOST: 'nosuch.invalid' }, /no name server .*\. Set HOST to an address of this machine/],
      [{ HOST: '203.0.113.9' }, /this machine does not have that address\. Set HOST/],
      [{ PORT: String(port) }, /another program listens there already\. End it, or set PORT/],
    ] as const
    for (const runtime of runtimes)
      for (const [env, words] of starts) await expect(startServer({ env, runtime })).rejects.toThrow(words)
    inTheWay.close()
  },
)

test('a file that a setting names and that cannot be read is told with the reason, and without its path', async () => {
  const read = (path: string) => readFileSync(path, 'utf8')
  const mistakes = await mistakesAtStart(
    { ADMIN_PASSWORD_FILE: '/nowhere/hunter2', FETCH_CA_FILE: '/' },
    read,
  )
  expect(mistakes).toEqual([
    'ADMIN_PASSWORD cannot be read from the file that ADMIN_PASSWORD_FILE names: there is no such file or folder',
    'FETCH_CA_FILE names a file that cannot be read: it is a folder, not a file',
  ])
})

test('an address that cannot be listened on is told with its settings', async () => {
  const start = startServer({ env: { HOST: '999.1.1.1' } })
  await expect(start).rejects.toThrow(/HOST 999\.1\.1\.1 with PORT 0 cannot be listened on/)
})
