import { dayMs, utcDay, utcHour } from '../../../src/lib/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { openSqlite, type Sqlite } from '../../../src/store/sqlite.ts'
import cases from './seed-admin.json' with { type: 'json' }

export interface AdminSeed {
  readonly keys: number
  /** Days of usage and traffic; on each a fiftieth of the keys was used. */
  readonly days: number
  readonly payments: number
  readonly nowMs: number
}

const sites = cases.sites
const tails = ['docs', 'blog', 'release notes', 'CI', 'status', 'starter', 'site', 'app']
const endpoints = ['og', 'badge', 'avatar', 'preview', 'sitemap']
const networks = ['x', 'slack', 'facebook', 'discord', 'linkedin', 'whatsapp', 'imessage']
const rowsAtOnce = 50_000

/** Fills a database as months of a busy service would. The same seed gives the same rows. */
export async function seedAdmin(path: string, seed: AdminSeed): Promise<void> {
  await openStore({ path, clock: { now: () => seed.nowMs } }).close()
  const sqlite = openSqlite(path)
  sqlite.exec('pragma synchronous = off')
  seedKeys(sqlite, seed)
  seedUsage(sqlite, seed)
  seedTraffic(sqlite, seed)
  seedHours(sqlite, seed)
  seedPayments(sqlite, seed)
  seedShares(sqlite, seed)
  seedAudit(sqlite, seed)
  sqlite.exec('pragma synchronous = normal')
  sqlite.close()
}

export function adminKeyId(number: number): string {
  const digits = ((number + 1) * 7_368_787).toString(31).padStart(16, '0')
  return `mk_${digits.replace(/./g, (digit) => keyLetters[Number.parseInt(digit, 31)] ?? '')}`
}

const keyLetters = '23456789abcdefghjkmnpqrstuvwxyz'

export function adminTxHash(number: number): string {
  return `0xc0de${(number + 1).toString(16).padStart(60, '0')}`
}

function seedKeys(sqlite: Sqlite, { keys, nowMs }: AdminSeed): void {
  const add = sqlite.prepare(
    'insert into keys (id, name, created_at_ms, revoked_at_ms, daily_quota, unlimited_until_ms) values (?, ?, ?, ?, ?, ?)',
  )
  inSteps(sqlite, keys, (number) => {
    const name = number % 40 === 7 ? '' : `${at(sites, number)} ${at(tails, number >> 3)} ${number}`
    const revoked = number % 20 === 9 ? nowMs - dayMs : null
    const quota = number % 30 === 4 ? 5000 : null
    const unlimited = number % 50 === 11 ? nowMs + 30 * dayMs : null
    add.run(adminKeyId(number), name, nowMs - (keys - number) * 60_000, revoked, quota, unlimited)
  })
}

function seedUsage(sqlite: Sqlite, { keys, days, nowMs }: AdminSeed): void {
  const add = sqlite.prepare('insert or replace into usage_days (day, bucket, used) values (?, ?, ?)')
  const today = utcDay(nowMs)
  const step = keys < 1000 ? 2 : 50
  for (let daysAgo = 0; daysAgo < days; daysAgo += 1) {
    add.run(today - daysAgo, 'demo', 400 + ((daysAgo * 977) % 2200))
    inSteps(sqlite, Math.floor(keys / step), (index) => {
      const number = index * step + (keys < 1000 ? daysAgo % step : index % step)
      add.run(today - daysAgo, `key:${adminKeyId(number)}`, 1 + ((number * 31 + daysAgo * 17) % 100))
    })
  }
}

function seedTraffic(sqlite: Sqlite, { days, nowMs }: AdminSeed): void {
  const add = sqlite.prepare(
    'insert into traffic_days (day, endpoint, auth, status, count) values (?, ?, ?, ?, ?)',
  )
  inSteps(sqlite, days, (daysAgo) => {
    for (const [index, endpoint] of endpoints.entries())
      for (const [auth, share] of Object.entries({ key: 40, demo: 25, payment: 3, free: 6 }))
        for (const [status, part] of Object.entries({ '2xx': 30, '4xx': 1, '402': 2, '5xx': 0 })) {
          const count = share * part * (7 - index) * (3 + ((daysAgo * 5 + index) % 7))
          if (count > 0) add.run(utcDay(nowMs) - daysAgo, endpoint, auth, status, count >> 3)
        }
  })
}

function seedHours(sqlite: Sqlite, { nowMs }: AdminSeed): void {
  const add = sqlite.prepare(
    'insert into traffic_hours (hour, endpoint, auth, status, count) values (?, ?, ?, ?, ?)',
  )
  const last = utcHour(nowMs)
  inSteps(sqlite, 72, (age) => {
    const daylight = 2 + Math.round(8 * Math.sin((((last - age) % 24) / 24) * Math.PI) ** 2)
    for (const [status, part] of Object.entries({ '2xx': 300, '402': 20, '4xx': 9 }))
      add.run(last - age, 'og', 'key', status, part * daylight + ((age * 37) % 50))
    if (age === 5) add.run(last - age, 'og', 'free', '5xx', 240)
  })
}

function seedPayments(sqlite: Sqlite, { payments, days, nowMs }: AdminSeed): void {
  const add = sqlite.prepare(
    `insert into payments (id, method, via, chain_id, asset, pay_to, payer, tx_hash, amount_micros, spent_micros, state,
       reason, block_number, created_at_ms, updated_at_ms) values (?, 'transfer', ?, 8453, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const charge = sqlite.prepare(
    `insert into charges (id, payment_id, slot, request, endpoint, amount_micros, state, holder, lease_until_ms,
       created_at_ms, done_at_ms) values (?, ?, ?, 'request', ?, ?, 'done', '', 0, ?, ?)`,
  )
  function address(number: number) {
    return `0xfeed${number.toString(16).padStart(36, '0')}`
  }
  inSteps(sqlite, payments, (number) => {
    const atMs = nowMs - Math.floor(((payments - number) / payments) * days * dayMs)
    const state = number % 60 === 5 ? 'failed' : number % 5000 === 7 ? 'submitted' : 'settled'
    const amount = number % 25 === 3 ? 1_000_000 : 10_000
    const isSpent = state === 'settled' && number % 10 !== 6
    const id = `payment-${number}`
    const reason = state === 'failed' ? 'insufficient_funds' : null
    const via = at(['transfer', 'x402-v1', 'x402-v2', 'mpp'], number)
    const parties = [address(1), address(2), address(100 + (number % 3000)), adminTxHash(number)]
    const amounts = [amount, isSpent ? amount : 0]
    add.run(id, via, ...parties, ...amounts, state, reason, 38_000_000 + number, atMs, atMs)
    if (isSpent)
      charge.run(`charge-${number}`, id, `slot-${number}`, at(endpoints, number), amount, atMs, atMs)
  })
}

function seedShares(sqlite: Sqlite, { keys, days, nowMs }: AdminSeed): void {
  const card = sqlite.prepare(
    `insert into shared_cards (key_id, day, network, address, asset, title, url, query, count)
     values (?, ?, ?, ?, 'og', ?, 'harbour.example', ?, ?)`,
  )
  const sum = sqlite.prepare(
    `insert into share_days (key_id, day, network, count) values (?, ?, ?, ?)
     on conflict do update set count = count + excluded.count`,
  )
  inSteps(sqlite, days, (daysAgo) => {
    const day = utcDay(nowMs) - daysAgo
    for (let number = 0; number < Math.min(keys, 30); number += 1)
      for (const [index, network] of networks.entries()) {
        const count = 1 + ((daysAgo * 7 + number * 5 + index * 11) % 23)
        const title = `${at(sites, number + index)}: ${at(tails, daysAgo + index)}, and what came of it`
        const address = `${number}-${at(sites, number + index)}-${at(tails, daysAgo + index)}`
        const query = `${new URLSearchParams({ title, theme: 'paper' })}`
        if (daysAgo < 30) card.run(adminKeyId(number), day, network, address, title, query, count)
        sum.run(adminKeyId(number), day, network, count)
        sum.run('', day, network, count)
      }
  })
}

function seedAudit(sqlite: Sqlite, { keys, nowMs }: AdminSeed): void {
  const add = sqlite.prepare(
    `insert into audit_entries (at_ms, actor, address, action, subject, detail) values (?, '3f9a02c1', '203.0.113.9', ?, ?, '')`,
  )
  const count = Math.min(keys, 20_000)
  inSteps(sqlite, count, (number) => {
    const action = at(['key.create', 'key.quota', 'key.revoke', 'login'], number)
    add.run(nowMs - (count - number) * 60_000, action, action === 'login' ? '' : adminKeyId(number % keys))
  })
}

function inSteps(sqlite: Sqlite, count: number, work: (number: number) => void): void {
  for (let first = 0; first < count; first += rowsAtOnce) {
    sqlite.transaction(() => {
      for (let number = first; number < Math.min(count, first + rowsAtOnce); number += 1) work(number)
    })
  }
}

function at<Item>(list: readonly Item[], index: number): Item {
  return list[index % list.length] as Item
}
