import { createAvatar } from '@dicebear/core'
import * as initials from '@dicebear/initials'
import definition from '@dicebear/styles/initials.json' with { type: 'json' }
import { makeBadge } from 'badge-maker'
import { badgen } from 'badgen'
import { Avatar, Style } from 'dicebear-10'
import type { Static } from 'elysia'
import { avatarOf } from '../src/assets/avatar/avatar-of.ts'
import { createAvatarRenderer } from '../src/assets/avatar/avatar-renderer.ts'
import { badge } from '../src/assets/badge/asset.ts'
import { createBadgeProducer } from '../src/assets/badge/produce.ts'
import { badgeOf, type badgeQuery } from '../src/assets/badge/query.ts'
import { renderBadge } from '../src/assets/badge/render-badge.ts'
import type { Asset } from '../src/assets/kit/asset.ts'
import { embedUrl } from '../src/client/embed-url.ts'
import { textBody } from '../src/lib/body.ts'
import { createTextEngine } from '../src/text/text-engine.ts'
import { startPageSite } from '../test/routes/support/page-site.ts'
import cases from './badges.json' with { type: 'json' }
import { comparedRows, encodedBytes, type Row, row } from './support/measure.ts'
import { defer } from './support/processes.ts'
import { type Ask, openService, requestRow, type Side } from './support/service.ts'

/** Drawn between two looks at the clock. */
const batch = 50

function drawing<T>(draw: (texts: T) => string | Promise<string>, textsAt: (index: number) => T) {
  return async (index: number) => {
    for (let count = 0; count < batch; count++) {
      const svg = draw(textsAt(index * batch + count))
      encodedBytes(typeof svg === 'string' ? svg : await svg)
    }
  }
}

interface Words {
  readonly label: string
  readonly message: string
}

const samples = {
  'flat, ASCII': [['build', 'coverage', 'version', 'downloads'], 'passing '],
  'flat, Chinese and Japanese': [['构建', '覆盖率', 'ビルド', '版本'], '通过成功 '],
  'flat, Arabic': [['بناء', 'التغطية', 'الإصدار', 'التنزيلات'], 'ناجح '],
  'flat, emoji': [['🚀 launch', '🎉', 'família 👨‍👩‍👧‍👦', '🇩🇪'], '✅ live '],
} as const

export async function benchBadges(): Promise<readonly Row[]> {
  const color = '#298605'
  const ours = (words: Words, style: 'flat' | 'flat-square' = 'flat') =>
    renderBadge({ style, ...words, color, links: [], idSuffix: '', scale: 1 })
  const badgeMaker = (words: Words) => makeBadge({ ...words, color })
  const badgenPeer = ({ label, message }: Words) => badgen({ label, status: message, color: '298605' })
  const rows: Row[] = []
  for (const [what, [labels, message]] of Object.entries(samples)) {
    const isAscii = what === 'flat, ASCII'
    const words = (index: number) => ({
      label: labels[index % labels.length] ?? '',
      message: `${message}${index % 100_000}`,
    })
    const peers = [{ name: 'badge-maker', run: drawing(badgeMaker, words), min: isAscii ? 10 : 4 }]
    if (isAscii) peers.push({ name: 'badgen', run: drawing(badgenPeer, words), min: 1 })
    rows.push(
      ...(await comparedRows(
        what,
        drawing((texts) => ours(texts), words),
        peers,
        { batch },
      )),
    )
  }
  const words = { label: 'build', message: 'passing' }
  const peer = { peer: 'badge-maker', theirs: badgeMaker(words).length }
  return [
    ...rows,
    row({ what: 'Size, flat', ours: ours(words).length, unit: 'B', ...peer, max: 1400 }),
    row({ what: 'Size, flat-square', ours: ours(words, 'flat-square').length, unit: 'B', max: 650 }),
    // Last, as two services with their caches stay behind.
    await routeRow(),
  ]
}

/** The whole way of a badge that nobody asked for before, against the same service with badge-maker at its end. */
async function routeRow(): Promise<Row> {
  const withPeer = {
    ...badge,
    createProducer: async (parts: Parameters<typeof badge.createProducer>[0]) => ({
      ...createBadgeProducer(parts),
      produce(query: Static<typeof badgeQuery>) {
        const { label, message, color } = badgeOf(query)
        return textBody(makeBadge({ label, message, color }))
      },
    }),
  } as Asset
  const services = [await openService({}), await openService({}, { assets: [withPeer] })]
  const [own, peer] = services.map(
    ({ fetch }): Side => ({
      ask: (request) => fetch(request, () => '127.0.0.1'),
      url: (index) => `${origin}/api/badge?label=build&color=brightgreen&demo=1&value=passing+${index}`,
    }),
  )
  if (own === undefined || peer === undefined) throw new Error('no services')
  return requestRow('Route, every request a miss', 'badge-maker', [own, peer], 2.5)
}

const origin = 'http://localhost:3000'
const given = 'Ada Grace Alan Katherine Linus Margaret Dennis Barbara Edsger Radia'.split(' ')
const family = 'Lovelace Hopper Turing Johnson Hamilton Ritchie Liskov Perlman Quine Wirth'.split(' ')
const syllables = 'an el or is um et ar on'.split(' ')

function nameOf(index: number): string {
  const tail = `${syllables[index % 8]}${syllables[(index >> 3) % 8]}${syllables[(index >> 6) % 8]}`
  return `${given[index % 10]} ${family[(index >> 2) % 10]}${tail}`
}

const avatarDefaults = cases.avatarDefaults as Omit<Parameters<typeof avatarOf>[0], 'name'>

export async function benchAvatars(): Promise<readonly Row[]> {
  const renderer = createAvatarRenderer(createTextEngine())
  const ours = (name: string) => renderer(avatarOf({ ...avatarDefaults, name }))
  const style = new Style(definition)
  const dicebear9 = (seed: string) => createAvatar(initials, { seed, size: 128 }).toString()
  const dicebear10 = (seed: string) => new Avatar(style, { seed, size: 128 }).toString()
  for (let index = 0; index < 2000; index++) await ours(nameOf(index))
  const peers = [
    { name: 'DiceBear 9 initials', run: drawing(dicebear9, nameOf), min: 3 },
    { name: 'DiceBear 10 initials', run: drawing(dicebear10, nameOf), min: 10 },
  ]
  const size = { ours: (await ours('Ada Lovelace')).length, unit: 'B', max: 800 }
  const peer = { peer: 'DiceBear 9', theirs: dicebear9('Ada Lovelace').length }
  return [
    ...(await comparedRows('Plain Latin name', drawing(ours, nameOf), peers, { batch })),
    row({ what: 'Size', ...size, ...peer }),
  ]
}

/** Pictures whose words another site says, against equal ones whose words the caller says. */
export async function benchPageCards(): Promise<readonly Row[]> {
  const site = await startPageSite()
  defer(() => site.stop())
  const service = await openService({
    ...site.env,
    KEY_DAILY_QUOTA: '1000000000',
    FETCH_TARGET_PER_MINUTE: '1000000',
    FETCH_UNPAID_PER_MINUTE: '1000',
  })
  site.setPage('/tides', '<!doctype html><html lang="en"><title>Tides of March</title><p>Text.</p>')
  site.set('/version.json', Response.json({ schemaVersion: 1, label: 'build', message: 'passing' }))
  const ask: Ask = (request) => service.fetch(request, () => '127.0.0.1')
  const key = await ask(new Request(`${origin}/api/key?hosts=harbour.example.com`))
  const { id, secret, site: siteId } = await key.json()
  const page = new URLSearchParams({ site: siteId, page: site.url('/tides') })
  // The texts that the page has on its card, because a picture of fewer texts is smaller.
  const texts = {
    title: 'Tides of March',
    subtitle: 'Text.',
    url: `harbour.example.com:${site.port}`,
    lang: 'en',
  } as const
  const signed = await embedUrl(`${origin}/api/og`, texts, { key: id, secret })
  const endpoint = encodeURIComponent(site.url('/version.json'))
  const live = `${origin}/api/badge?demo=1&endpoint=${endpoint}&label=build`
  const plain = `${origin}/api/badge?demo=1&value=passing&label=build`
  const always = (url: string) => ({ ask, url: () => url })
  const fresh = (url: string) => ({ ask, url: (index: number) => `${url}+${index}` })
  const kept = 'Card of a kept page with site=, repeated'
  const cached = 'Badge from a cached document'
  return [
    await requestRow(
      kept,
      'signed card of the same texts',
      [always(`${origin}/api/card?${page}`), always(signed)],
      0.9,
    ),
    await requestRow(`${cached}, repeated`, 'static badge', [always(live), always(plain)], 0.8),
    await requestRow(`${cached}, every request a miss`, 'static badge', [fresh(live), fresh(plain)], 0.8),
  ]
}
