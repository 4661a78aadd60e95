import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createSecrets } from '../../src/access/secrets.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { rareText } from '../support/rare-texts.ts'
import { startService } from '../support/service.ts'
import { signAddress } from '../support/sign-address.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { started } from '../support/started.ts'
import { slowTest } from '../support/test-size.ts'
import { queryTestStore } from '../support/test-store.ts'
import { startPageSite } from './support/page-site.ts'

const masterKey = '7e'.repeat(32)
const site = started(startPageSite)
const server = started(() => startService({ env: { ...site.env, MASTER_KEY: masterKey } }))
const pair = started(() => issueKeyPair(server))

type Query = Readonly<Record<string, string>>

const soonSeconds = Math.floor((Date.now() + dayMs) / 1000)

const rare = { title: rareText('sc', 300), overflow: 'ellipsis' }
const usual = {
  title: '人工智能正在改变我们的工作方式和生活方式，越来越多的企业开始使用大型语言模型来提高生产效率',
  subtitle: '🚀🫠👩🏽‍💻🎉🥳🎊👋🏻👍🏼🙏🏽👩🏾‍🚀👨🏿‍🌾🧑🏽‍🎨🦜🍉🌈⚡️🔥✨🎨🐛🚑💄🍱♻️📝🔧🔨🌐',
  author: 'Hello Γειά Привет Բարև გამარჯობა שלום مرحبا नमस्ते নমস্কার வணக்கம் สวัสดี 안녕',
}

async function ask(url: string, init: RequestInit = {}) {
  const answer = await fetch(url.startsWith('/') ? server.url + url : url, init)
  const body = await answer.text()
  const { code, errors } = answer.ok || !body.startsWith('{') ? {} : JSON.parse(body)
  return { status: answer.status, code, errors, body, answer }
}

function ogUrl(query: Query, more: Query = { demo: '1' }): string {
  return `${server.url}/api/og?${new URLSearchParams({ ...query, ...more })}`
}

function pathUrl(query: Query, asset = 'og'): string {
  return server.url + signAddress(pair, query, { asset })
}

/** The title of a card as SVG. */
function titleOf(svg: string): string {
  return /<title[^>]*>([^<]*)</.exec(svg)?.[1] ?? ''
}

async function used(): Promise<number> {
  return (await (await fetch(`${server.url}/api/usage?key=${pair.key}`)).json()).used
}

/** Writes that an address was answered, as a server of an earlier version did. */
async function answerEarlier(text: string): Promise<void> {
  const digest = createSecrets(new Uint8Array(Buffer.from(masterKey, 'hex'))).digestOf(text)
  const day = utcDay(Date.now()) - 10
  await queryTestStore(
    join(server.dataDir, 'mintmark.sqlite'),
    `insert into signed_addresses (key_id, digest, version, first_day, last_view_day) values ('${pair.key}', '${digest}', 1, ${day}, ${day})`,
  )
}

test.each([
  ['sc', rare, 'title'],
  ['tc', { title: 'A', subtitle: rareText('tc', 500), overflow: 'ellipsis', lang: 'zh-Hant' }, 'subtitle'],
  ['ja', { title: rareText('ja', 80), lang: 'ja', theme: 'paper' }, 'title'],
  ['ko', { title: 'A', subtitle: rareText('ko', 120), lang: 'ko', theme: 'terminal' }, 'subtitle'],
  [
    'several scripts',
    { title: usual.author, author: rareText('ja', 70), eyebrow: usual.title.slice(0, 40), lang: 'ja' },
    'author',
  ],
])(
  'a text that needs too many fonts is a mistake of its parameter, before any credential is looked at: %s',
  async (_, query, name) => {
    for (const more of [{ demo: '1' }, {}, { demo: '1', format: 'png' }] as readonly Query[]) {
      const { status, code, errors } = await ask(ogUrl(query, more))
      expect([status, code]).toEqual([400, 'invalid_query'])
      expect(errors).toEqual([
        {
          parameter: name,
          message: expect.stringMatching(/\d+ font files.*at most 60: use fewer rare characters/),
        },
      ])
    }
    expect((await ask(ogUrl(query), { method: 'HEAD' })).status).toBe(400)
  },
)

slowTest('usual text of any script is no mistake, nor are emoji', async () => {
  for (const theme of ['aurora', 'paper', 'terminal'])
    expect((await ask(ogUrl({ ...usual, theme }))).status).toBe(200)
})

test('an `<img>` is told in a picture', async () => {
  const { status, body } = await ask(ogUrl(rare), { headers: { accept: 'image/*' } })
  expect([status, body.startsWith('<svg')]).toEqual([400, true])
})

describe('a signed call', () => {
  test.each([
    ['with a time', () => signUrl(ogUrl(rare, {}), pair)],
    ['in the path', () => pathUrl(rare)],
    ['in the query', () => signEmbed(`${server.url}/api/og`, rare, pair, soonSeconds)],
  ])('%s that was never answered is refused for its text, and counts nothing', async (_, sign) => {
    const url = await sign()
    const before = await used()
    const all = await Promise.all(Array.from({ length: 4 }, () => ask(url)))
    for (const { status, code, errors } of all)
      expect([status, code, errors[0].parameter]).toEqual([400, 'invalid_query', 'title'])
    expect(await used()).toBe(before)
  })

  test('that was answered before is drawn with the whole text, and counts nothing', async () => {
    const inPath = pathUrl({ ...rare, theme: 'plain' })
    const inQuery = await signEmbed(`${server.url}/api/og`, { ...rare, theme: 'plain' }, pair, soonSeconds)
    await answerEarlier(`GET ${new URL(inPath).pathname.replace(/\/\w{32}\.svg$/, '.svg')}`)
    await answerEarlier(`GET ${new URL(inQuery).pathname}${new URL(inQuery).search.replace(/&sig=\w+$/, '')}`)
    const before = await used()
    for (const url of [inPath, inQuery]) {
      const { status, body, answer } = await ask(url)
      expect([status, answer.headers.get('x-auth-mode')]).toEqual([200, 'key'])
      expect(titleOf(body)).toBe(rare.title)
    }
    expect(await used()).toBe(before)
  })
})

test('the card of a page is cut there', async () => {
  site.setPage(
    '/rare',
    `<title>Tides ${rare.title}</title><meta name="description" content="${rareText('ja', 400)}">`,
  )
  const page = site.url('/rare')
  for (const url of [`/api/card?${new URLSearchParams({ page, demo: '1' })}`, pathUrl({ page }, 'card')]) {
    const { status, body } = await ask(url)
    const title = titleOf(body)
    expect([status, title]).toEqual([200, expect.stringMatching(/^Tides .{40,60}…$/u)])
    expect(rare.title).toStartWith(title.slice('Tides '.length, -1))
  }
  const given = new URLSearchParams({ page, demo: '1', title: rare.title.slice(0, 80), format: 'png' })
  expect((await ask(`/api/card?${given}`)).status).toBe(200)
})

test('the playground says it as any other mistake, whatever signature it is shown', async () => {
  const forged = { key: pair.key, exp: String(soonSeconds), sig: '0'.repeat(64) }
  for (const more of [{}, forged] as readonly Query[]) {
    const { status, body } = await ask(`/?${new URLSearchParams({ kind: 'og', ...rare, ...more })}`)
    expect([status, body.includes('at most 60')]).toEqual([200, true])
  }
})
