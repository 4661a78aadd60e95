import { expect, test } from 'bun:test'
import { rootCertificates } from 'node:tls'
import { assets } from '../src/catalog.ts'
import { readConfig, settings, withPrice } from '../src/config.ts'
import { SettingsError } from '../src/lib/settings.ts'

function noFiles(): string {
  throw new Error('no such file')
}

/** The mistakes that an environment has. */
function mistakesIn(
  env: Record<string, string>,
  readFile: (path: string) => string = noFiles,
): readonly string[] {
  try {
    readConfig(env, readFile)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({}, noFiles)
  expect(config).toMatchObject({
    PORT: 3000,
    HOST: '0.0.0.0',
    BASE_URL: undefined,
    DATA_DIR: './data',
    WORKERS: 1,
    CACHE_MB: 64,
    KEY_DAILY_QUOTA: 100,
    DEMO_DAILY_QUOTA: 3000,
    KEYS_PER_IP_PER_DAY: 5,
    PUBLIC_KEYS: true,
    UPGRADE_PRICE: 10_000_000,
    X402_NETWORK: 'eip155:8453',
    X402_HIGH_PRICE: 500_000,
    X402_WAIT_MS: 8000,
    X402_SETTLE: 'auto',
    X402_REQUIRE_PROOF: 5_000_000,
    FETCH_ALLOW_PORTS: [80, 443, 8080, 8443],
  })
  const og = assets.find(({ id }) => id === 'og')
  expect(og && withPrice({ ...og, priceMicros: 1 }, config).priceMicros).toBe(10_000)
})

test('a variable that is set to nothing counts as unset', () => {
  expect(readConfig({ PORT: '', BASE_URL: '' }, noFiles)).toMatchObject({ PORT: 3000, BASE_URL: undefined })
})

test('a file that a setting names must be there, and is missed together with other mistakes', () => {
  const env = { FETCH_CA_FILE: '/nowhere/root.pem', PORT: 'many' }
  expect(mistakesIn(env)).toEqual([
    expect.stringContaining('PORT'),
    'FETCH_CA_FILE names a file that cannot be read',
  ])
  const root = rootCertificates[0] ?? ''
  const found = readConfig({ FETCH_CA_FILE: '/etc/root.pem' }, () => root)
  expect(found.FETCH_CA_FILE).toBe('/etc/root.pem')
})

test('all mistakes are reported at once, each with its name', () => {
  const wrong = {
    PORT: '65536',
    BASE_URL: 'https://cards.example/path?x',
    TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/33',
    WORKERS: 'many',
    CACHE_MB: '1e3',
    LOG_LEVEL: 'loud',
    PRICE_OG: '0.0000001',
    UPGRADE_PRICE: '-1',
    PUBLIC_KEYS: 'perhaps',
    X402_PAY_TO: '0x12',
    X402_RPC_URLS: 'ftp://rpc.example',
    X402_REQUIRE_PROOF: 'sometimes',
    X402_FACILITATOR_HEADERS: '{"a b": "c"}',
    FETCH_DNS: '1.1.1.1',
    FETCH_ALLOW_PORTS: '80,0',
    DATABASE_URL: 'mysql://x',
    DONATION_LINKS: 'https://example.com',
  }
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
    return files[path] ?? noFiles()
  }
  const config = readConfig({ ADMIN_PASSWORD_FILE: '/run/password', PORT_FILE: '/run/port' }, readFile)
  expect(config).toMatchObject({ ADMIN_PASSWORD: 'correct horse', PORT: 8080 })
  expect(mistakesIn({ X402_SETTLER_KEY_FILE: '/none' }, readFile)).toEqual([
    expect.stringContaining('cannot be read from the file that X402_SETTLER_KEY_FILE names'),
  ])
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
