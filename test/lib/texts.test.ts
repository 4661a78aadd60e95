import { expect, test } from 'bun:test'
import { settings } from '../../src/config.ts'
import { createRequestIds } from '../../src/http/request-pipeline.ts'
import { bodyText, piecesBody, textBody } from '../../src/lib/body.ts'
import { closestWord, editDistance } from '../../src/lib/edit-distance.ts'
import { inHundredths } from '../../src/lib/human-format.ts'
import { misspeltSettings } from '../../src/lib/settings.ts'
import { foreignTextOf } from '../../src/lib/system-reason.ts'
import { createWordList } from '../../src/lib/words.ts'
import { randomFrom } from '../support/random.ts'
import { startServer } from '../support/server.ts'
import cases from './texts.json' with { type: 'json' }

test('a word with up to two mistakes is found again, whatever its letters are', () => {
  const { pick } = randomFrom(40)
  const letters = [...'abcdefgäöüжщญ漢0129+.']
  for (let round = 0; round < 500; round++) {
    const word = Array.from({ length: 8 + (round % 12) }, () => pick(letters)).join('')
    const others = Array.from({ length: 20 }, () => word.replace(/.{4}/, '').repeat(3))
    let wrong = word
    for (let mistake = 0; mistake < 2; mistake++) {
      const at = pick([1, 3, 5])
      const instead = pick(['', pick(letters), wrong[at] + pick(letters), (wrong[at + 1] ?? '') + wrong[at]])
      wrong = wrong.slice(0, at) + instead + wrong.slice(at + 1)
    }
    if (wrong === word || editDistance(wrong, word, 2) > 2 || Math.min(wrong.length, word.length) < 8)
      continue
    expect(closestWord(wrong, [...others, word]), wrong).toBe(word)
  }
})

test('a word with other letters is not what was meant', () => {
  expect(closestWord('visualstudio', ['virtualradio', 'postgresql'])).toBeUndefined()
})

test('a word list finds each of its words and nothing else', () => {
  const words = Array.from({ length: 5000 }, (_, index) => `${'word '.repeat(index % 7)}${index}`)
  const list = createWordList(['', ...words, '漢字', '🚀'])
  expect(list.indexOf('')).toBe(0)
  for (const [index, word] of words.entries()) {
    expect(list.indexOf(word)).toBe(index + 1)
    expect(list.at(index + 1)).toBe(word)
  }
  expect([list.at(5001), list.indexOf('🚀')]).toEqual(['漢字', 5002])
  for (const other of ['5000', 'word', '漢', '字', '🚀🚀', '01']) expect(list.indexOf(other)).toBe(-1)
})

test('an empty word list has no word', () => {
  expect(createWordList([]).indexOf('a')).toBe(-1)
})

const url = 'https://user:p%40ssword-of-it@rpc.example/v3/0123456789abcdef?apikey=fedcba9876543210'
const headers = { authorization: 'Bearer token-of-the-account' }

test('a text of another service loses each secret that it was called with, wherever it repeats it', () => {
  const textOf = foreignTextOf(url, headers)
  const secrets = ['0123456789abcdef', 'fedcba9876543210', 'p@ssword-of-it', 'token-of-the-account']
  for (const secret of secrets) {
    const text = textOf(`no account ${secret}, see ${url}; ${headers.authorization}`, 1_000)
    for (const other of secrets) expect(text).not.toContain(other)
    expect(text).toStartWith('no account …, see ')
  }
})

test('a text without secrets is only shortened', () => {
  expect(foreignTextOf(url, headers)('execution reverted: v3', 18)).toBe('execution reverted')
})

test('a secret at the place where a text is cut leaves no part of itself', () => {
  expect(foreignTextOf(url)('limit of 0123456789abcdef', 13)).toBe('limit of …')
})

test('a duration is written as a number with at most two decimals, however long it is', () => {
  expect([0, 0.004, 0.005, 0.07, 0.1, 1, 9.99, 9.996, 10, 1234.567].map(inHundredths)).toEqual(
    '0 0 0.01 0.07 0.1 1 9.99 10 10 1234.57'.split(' '),
  )
})

test.each(cases.settings as [string, string | null][])('%s is taken for %s', (name, meant) => {
  const lines = misspeltSettings(settings, { [name]: 'x' })
  expect(lines).toEqual(meant === null ? [] : [`${name} is set, but is no setting. Did you mean ${meant}?`])
})

test('settings, and what other programs keep in the environment, are no mistakes', () => {
  const others =
    'PATH HOME USER SHELL HOSTNAME LANG TERM PWD OLDPWD LOGNAME MAIL SHLVL TMPDIR NODE_ENV CI EDITOR PAGER XDG_DATA_DIRS XDG_DATA_HOME SSH_AUTH_SOCK HTTP_PROXY NO_PROXY KUBERNETES_PORT POSTGRES_PASSWORD INVOCATION_ID STATE_DIRECTORY CREDENTIALS_DIRECTORY LOGS_DIRECTORY DBUS_SESSION_BUS_ADDRESS'
  const names = [
    ...Object.keys(settings),
    ...Object.keys(settings).map((name) => `${name}_FILE`),
    ...others.split(' '),
  ]
  expect(misspeltSettings(settings, Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
  expect(misspeltSettings(settings, { ADMIN_PASSWROD: '' })).toEqual([])
})

test('a start warns of a misspelt setting on the terminal, and serves', async () => {
  const server = await startServer({ env: { ADMIN_PASSWROD: 'correct-horse' } })
  try {
    while (!server.complaints.join('').includes('Did you mean ADMIN_PASSWORD?')) await Bun.sleep(10)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('ids are never the same, however many there are and whoever makes them', () => {
  const each = 4_000
  const sources = [createRequestIds(), createRequestIds()]
  const ids = sources.flatMap((nextId) => Array.from({ length: each }, nextId))
  expect(new Set(ids).size).toBe(2 * each)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
})

test.each(['', 'plain', '<svg/>\n', 'é', 'a\u0080', '構建', '🚀', 'x\ud800y'])(
  'the body of %p says how many bytes go out, and is the text',
  async (text) => {
    const body = textBody(text)
    const sent = await new Response(body).bytes()
    expect(sent.length).toBe(body.length)
    expect(sent).toEqual(new TextEncoder().encode(text))
    expect(bodyText(body)).toBe(text.toWellFormed())
  },
)

test.each([...cases.known, ['a'.repeat(70_000), 'é']])(
  'a body of pieces is that of the joined text',
  (...pieces) => {
    expect(piecesBody(pieces)).toEqual(textBody(pieces.join('')))
  },
)
