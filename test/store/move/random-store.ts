import type { DatabaseSync } from 'node:sqlite'
import { randomFrom } from '../../support/random.ts'

type Random = ReturnType<typeof randomFrom>
type Value = null | number | string | Uint8Array

const dayMs = 86_400_000
const letters = [...'abcXYZ 019_-:/\\\'"%,{}()\n\t\r;|~\u0001\u0085äß漢字🏳️‍🌈\u{10ffff}']

/** Fills every table of a SQLite database with random rows that its rules allow. The scale is about the rows of a table. */
export function fillRandomly(database: DatabaseSync, seed: number, scale: number): void {
  const random = randomFrom(seed)
  const insert = inserter(database)
  database.exec('begin')
  insert('facts', { name: 'created_at_ms', value: '1700000000000' })
  for (let n = 0; n < 8; n += 1)
    insert('facts', { name: `fact ${n} ${text(random, 12)}`, value: text(random, 60) })
  for (let n = 0; n < scale; n += 1) addKey(random, insert, n)
  for (let n = 0; n < scale / 4; n += 1) addPayment(random, insert, n)
  addDays(random, insert, scale)
  addOperator(random, insert, scale)
  for (let n = 0; n < 20; n += 1) addBrand(random, insert, n, database)
  database.exec('commit')
}

type Insert = (table: string, row: Readonly<Record<string, Value>>) => void

function inserter(database: DatabaseSync): Insert {
  return (table, row) => {
    const names = Object.keys(row)
    const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict do nothing`
    database.prepare(sql).run(...Object.values(row))
  }
}

function addKey(random: Random, insert: Insert, n: number): void {
  const id = `mk_${random.below(2 ** 31).toString(36)}${n.toString(36)}`
  insert('keys', {
    id,
    name: text(random, 30),
    created_at_ms: time(random),
    revision: 1 + random.below(9),
    version: 1 + random.below(3),
    previous_until_ms: maybe(random, time(random)),
    revoked_at_ms: maybe(random, time(random)),
    daily_quota: maybe(random, random.below(1e9)),
    unlimited_until_ms: maybe(random, 9e15),
    expires_at_ms: maybe(random, time(random)),
    hosts: random.pick(['', 'example.com', 'example.com,xn--bcher-kva.example']),
    site_id: maybe(random, `ms_${id.slice(3)}`),
    look: random.pick(['{}', '{"theme":"paper","accent":"#c00"}']),
    assets: random.pick(['', 'og', 'og,badge']),
    notes: text(random, 60),
  })
  insert('usage_days', { day: 20_000 + random.below(5), bucket: `key:${id}`, used: random.below(200) })
}

function addPayment(random: Random, insert: Insert, n: number): void {
  const id = `${random.below(2 ** 31).toString(36)}-${n}`
  const hash = `0x${n.toString(16).padStart(10, '0')}${random.below(2 ** 31).toString(16)}`
  const amount = 1 + random.below(1e9)
  const isTransfer = random.below(2) === 0
  insert('payments', {
    id,
    method: isTransfer ? 'transfer' : 'authorization',
    via: text(random, 10),
    chain_id: 8453,
    asset: '0xA',
    pay_to: '0xB',
    payer: `0x${random.below(50)}`,
    tx_hash: isTransfer ? hash : null,
    nonce: isTransfer ? null : hash,
    identifier: maybe(random, text(random, 10)),
    scope: random.pick(['transaction', 'payer', 'one-of-several']),
    amount_micros: amount,
    spent_micros: random.below(amount),
    state: random.pick(['reserved', 'submitted', 'settled', 'settled', 'released', 'failed', 'reorged']),
    reason: maybe(random, text(random, 20)),
    block_number: maybe(random, random.below(2 ** 31)),
    raw_transaction: maybe(random, `0x${'f'.repeat(random.below(500))}`),
    created_at_ms: time(random),
    updated_at_ms: time(random),
  })
  insert('transfer_logs', { chain_id: 8453, tx_hash: hash, log_index: random.below(9), payment_id: id })
  insert('settlements', {
    tx_hash: hash,
    payment_id: id,
    payer: `0x${random.below(50)}`,
    is_settled: random.below(2),
    gas_used: random.below(1e6),
    gas_price_wei: random.below(2 ** 31) * 1000,
    fee_gwei: random.below(1e9),
    created_at_ms: time(random),
  })
  for (let each = 0; each < random.below(3); each += 1)
    insert(
      'charges',
      charge(
        random,
        `${id}/${each}`,
        id,
        `slot ${hash} ${each}`,
        random.pick(['reserved', 'done', 'released']),
      ),
    )
}

function charge(random: Random, id: string, paymentId: string, slot: string, state: string) {
  const isDone = state === 'done'
  return {
    id,
    payment_id: paymentId,
    slot,
    request: text(random, 64),
    endpoint: 'og',
    amount_micros: 1 + random.below(10_000),
    state,
    holder: text(random, 12),
    lease_until_ms: time(random),
    created_at_ms: time(random),
    done_at_ms: isDone ? time(random) : null,
    response_head: isDone ? JSON.stringify({ status: 200, title: text(random, 40) }) : null,
    // Some are larger than what is copied at once.
    response_body: isDone ? bytes(random, random.below(300) === 0 ? 5_000_000 : random.below(3_000)) : null,
  } as const
}

function addBrand(random: Random, insert: Insert, n: number, database: DatabaseSync): void {
  const slug = `brand-${n}`
  const revisions = 1 + random.below(5)
  insert('brands', {
    slug,
    revision: revisions,
    access: random.pick(['everyone', 'keys']),
    archived_at_ms: maybe(random, time(random)),
    created_at_ms: time(random),
  })
  for (let revision = 1; revision <= revisions; revision += 1) {
    insert('brand_revisions', {
      slug,
      revision,
      name: text(random, 30),
      look: JSON.stringify({ footer: text(random, 40) }),
      digest: text(random, 22),
      created_at_ms: time(random),
    })
    const sha256 = `${random.below(2 ** 31).toString(16)}-${n}`
    insert('brand_files', {
      sha256,
      media_type: random.pick(['image/png', 'font/sfnt']),
      facts: JSON.stringify({ note: text(random, 20) }),
      // Some are larger than what is copied at once.
      bytes: bytes(random, random.below(30) === 0 ? 5_000_000 : random.below(3_000)),
    })
    const upload = { upload_name: text(random, 20), upload_bytes: random.below(1e6) }
    insert('brand_revision_files', { slug, revision, field: 'logo', sha256, ...upload })
  }
  for (const key of database.prepare('select id from keys limit 3').all())
    insert('brand_keys', { slug, key_id: String(key['id']) })
  for (const caller of ['demo', 'payment', `mk_${n}`])
    insert('brand_days', { day: 20_000 + random.below(9), slug, caller, count: random.below(1e9) })
}

function addDays(random: Random, insert: Insert, scale: number): void {
  for (let n = 0; n < scale; n += 1)
    insert('seen_days', {
      day: 20_000 + random.below(3),
      bucket: `key:${random.below(99)}`,
      thing: text(random, 40),
    })
  for (let n = 0; n < 200; n += 1) {
    const kind = {
      endpoint: random.pick(['og', 'badge', 'x y']),
      auth: random.pick(['key', 'demo']),
      status: '2xx',
    }
    insert('traffic_days', { day: random.below(60), ...kind, count: random.below(1e6) })
    insert('traffic_hours', { hour: random.below(72), ...kind, count: random.below(1e6) })
  }
  for (let n = 0; n < scale; n += 1) {
    const of = {
      key_id: `mk_${random.below(9)}`,
      day: 20_000 + random.below(30),
      network: random.pick(['x', 'slack']),
      count: random.below(1e6),
    }
    const words = { asset: 'og', title: text(random, 40), url: text(random, 20), query: text(random, 60) }
    insert('shared_cards', { ...of, address: random.pick(['', `${random.below(1e9)}`]), ...words })
    insert('share_days', of)
  }
  for (let n = 0; n < scale; n += 1) {
    const keyId = `mk_${random.below(99)}`
    const days = { first_day: 20_000 + random.below(9), last_view_day: 20_000 + random.below(99) }
    insert('signed_addresses', { key_id: keyId, digest: text(random, 32), version: random.below(9), ...days })
    insert('leaked_secrets', { key_id: keyId, version: random.below(9), since_day: random.below(9) })
  }
  for (let n = 0; n < scale; n += 1)
    insert('web_sources', {
      digest: text(random, 32) + n,
      kind: random.pick(['page', 'unread_page', 'document']),
      url: text(random, 60),
      facts: random.pick([null, text(random, 200)]),
      read_at_ms: random.pick([null, time(random)]),
      reason: random.pick([null, text(random, 20)]),
      used_at_ms: time(random),
      requests: random.below(1e6),
    })
  for (let day = 0; day < 30; day += 1)
    insert('settlement_days', {
      day,
      count: random.below(9),
      failed: random.below(3),
      gas_used: 7,
      fee_gwei: random.below(1e12),
    })
}

function addOperator(random: Random, insert: Insert, scale: number): void {
  for (let n = 0; n < scale / 10; n += 1) {
    const address = text(random, 20)
    insert('sessions', {
      id: `session ${n}`,
      created_at_ms: time(random),
      last_seen_at_ms: time(random),
      confirmed_at_ms: 0,
      address,
      user_agent: text(random, 200),
    })
    insert('alerts', {
      name: `key_quota:${n}`,
      body: JSON.stringify({ text: text(random, 60) }),
      kept_until_ms: time(random),
      attempts: random.below(6),
      due_at_ms: maybe(random, time(random)),
    })
    insert('audit_entries', {
      at_ms: time(random),
      actor: 'operator',
      address,
      action: 'x',
      subject: text(random, 9),
      detail: text(random, 99),
    })
    insert('login_attempts', { address, at_ms: time(random) })
    insert('login_origins', { kind: random.pick(['address', 'session']), name: address, at_ms: time(random) })
  }
}

function text(random: Random, charsMax: number): string {
  return Array.from({ length: random.below(charsMax) }, () => random.pick(letters)).join('')
}

function bytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256))
}

function maybe<T>(random: Random, value: T): T | null {
  return random.below(2) === 0 ? null : value
}

function time(random: Random): number {
  return 20_000 * dayMs + random.below(5 * dayMs)
}
