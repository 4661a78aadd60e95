import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { embedUrl } from '../src/client/embed-url.ts'
import { createService } from '../src/service.ts'
import { type PageSite, startPageSite } from '../test/routes/support/page-site.ts'
import { median } from './support/measure.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { type Row, ratioRow, round } from './support/row.ts'

/** Requests in flight together, as from many clients. */
const together = 50
const perRound = 2_000
const rounds = 15
/** Rounds before those that count: the engine compiles meanwhile. */
const warmUps = 5
const origin = 'http://localhost:3000'

/** Pictures whose words another site says, against equal ones whose words the caller says. */
export async function benchPageCards(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const site = await startPageSite()
  const service = await startService(directory, site)
  try {
    site.setPage('/tides', '<!doctype html><html lang="en"><title>Tides of March</title><p>Text.</p>')
    site.set('/version.json', Response.json({ schemaVersion: 1, label: 'build', message: 'passing' }))
    const ask = (url: string) => service.fetch(new Request(url), () => '127.0.0.1')
    const pair = await (await ask(`${origin}/api/key?hosts=harbour.example.com`)).json()
    const cards = {
      own: `${origin}/api/card?${new URLSearchParams({ site: pair.site, page: site.url('/tides') })}`,
      peer: await embedUrl(`${origin}/api/og`, textsOf(site), { key: pair.id, secret: pair.secret }),
    }
    const document = encodeURIComponent(site.url('/version.json'))
    const badges = {
      own: `${origin}/api/badge?demo=1&endpoint=${document}&label=build`,
      peer: `${origin}/api/badge?demo=1&value=passing&label=build`,
    }
    return await repeatIfShort(async () => [
      await compare(
        ask,
        'card of a kept page with site=, repeated',
        'signed card of the same texts',
        () => cards,
        0.9,
      ),
      await compare(ask, 'badge from a cached document, repeated', 'static badge', () => badges, 0.8),
      await compare(
        ask,
        'badge from a cached document, every request a miss',
        'static badge',
        (n) => ({
          own: `${badges.own}+${n}`,
          peer: `${badges.peer}+${n}`,
        }),
        0.8,
      ),
    ])
  } finally {
    await service.close()
    await site.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The texts that the page has on its card, because a picture of fewer texts is smaller. */
function textsOf({ port }: PageSite) {
  return {
    title: 'Tides of March',
    subtitle: 'Text.',
    url: `harbour.example.com:${port}`,
    lang: 'en',
  } as const
}

async function startService(directory: string, site: PageSite) {
  const env = {
    ...site.env,
    DATA_DIR: directory,
    LOG_LEVEL: 'silent',
    DEMO_DAILY_QUOTA: '1000000000',
    KEY_DAILY_QUOTA: '1000000000',
    FETCH_TARGET_PER_MINUTE: '1000000',
    FETCH_UNPAID_PER_MINUTE: '1000',
  }
  return createService({ config: await readStartConfig(env, () => ''), readFile: () => '', write: () => {} })
}

type Ask = (url: string) => Response | Promise<Response>
type Pair = Readonly<Record<'own' | 'peer', string>>

let next = 0

/** In turns, so that what else the machine does falls on both. */
async function compare(
  ask: Ask,
  what: string,
  peerName: string,
  urlsAt: (index: number) => Pair,
  atLeast: number,
): Promise<Row> {
  const pairs: { readonly own: number; readonly peer: number }[] = []
  for (let number = 0; number < warmUps + rounds; number++) {
    const urls = Array.from({ length: perRound }, () => urlsAt(next++))
    const own = await time(
      ask,
      urls.map((pair) => pair.own),
    )
    const peer = await time(
      ask,
      urls.map((pair) => pair.peer),
    )
    if (number >= warmUps) pairs.push({ own, peer })
  }
  const micros = median(pairs.map((pair) => pair.own))
  const ratio = median(pairs.map((pair) => pair.peer / pair.own))
  return ratioRow({
    what,
    ours: `${round(micros)} µs`,
    peer: `${peerName} ${round(micros * ratio)} µs`,
    ratio,
    atLeast,
  })
}

/** Microseconds of processor time for each request. */
async function time(ask: Ask, urls: readonly string[]): Promise<number> {
  const before = process.cpuUsage()
  for (let start = 0; start < urls.length; start += together) {
    const answers = await Promise.all(urls.slice(start, start + together).map(ask))
    if (answers.some(({ status }) => status !== 200)) throw new Error('the service did not answer')
    await Promise.all(answers.map((answer) => answer.bytes()))
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / urls.length
}
