import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { createService, type Service } from '../src/service.ts'
import { repeatIfShort } from './support/repeat-if-short.ts'
import { boundRow, type Row, round } from './support/row.ts'
import { adminKeyId, adminTxHash, seedAdmin } from './support/seed-admin.ts'

const full = { keys: 1_000_000, days: 90, payments: 500_000 }
const looks = 60
const p95MsMax = 150
const password = 'correct horse battery'
const cardCalls = 2_000
const logins = 100

/** Latency of the operator's pages in a large service, and of other callers during a flood of logins. */
export async function benchAdmin(size = full): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  try {
    await seedAdmin(join(directory, 'mintmark.sqlite'), { ...size, nowMs: Date.now() })
    const env = {
      DATA_DIR: directory,
      LOG_LEVEL: 'silent',
      ADMIN_PASSWORD: password,
      DEMO_DAILY_QUOTA: '100000000',
    }
    const service = await createService({
      config: await readStartConfig(env, () => ''),
      readFile: () => '',
      write: () => {},
    })
    const cookie = await logIn(service, '192.0.2.1')
    const rows: Row[] = []
    for (const [name, path] of Object.entries(pages(size.keys, size.payments)))
      rows.push(
        ...(await repeatIfShort(async () => [
          boundRow(`${name}, p95`, await p95Ms(service, path, cookie), p95MsMax, 'ms'),
        ])),
      )
    rows.push(...(await repeatIfShort(async () => [await floodRow(service)])))
    await service.close()
    return rows
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Each look is at another row where there are many. */
function pages(keys: number, payments: number): Readonly<Record<string, (n: number) => string>> {
  function key(n: number) {
    return adminKeyId((n * 104_729) % keys)
  }
  function hash(n: number) {
    return adminTxHash((n * 104_729) % payments)
  }
  return {
    Overview: () => '/admin',
    'Keys, newest': () => '/admin/keys',
    'Keys, deep in the list': (n) => `/admin/keys?after=${key(n)}`,
    'Keys, most used': () => '/admin/keys?sort=used',
    'Keys, revoked': () => '/admin/keys?status=revoked',
    'Keys, exhausted': () => '/admin/keys?status=exhausted',
    'Keys, common word searched': () => '/admin/keys?q=docs',
    'Keys, one name searched': (n) => `/admin/keys?q=harbour+docs+${(n * 997) % keys}`,
    'Keys, nothing found': () => '/admin/keys?q=nothing-has-this-name',
    'One key': (n) => `/admin/keys/${key(n)}`,
    'Usage, a year': () => '/admin/usage?days=365',
    Payments: () => '/admin/payments',
    'Payments, unclaimed': () => '/admin/payments?state=unclaimed',
    'Payments, deep in the list': (n) => `/admin/payments?after=payment-${(n * 7919) % payments}`,
    'One payment': (n) => `/admin/payments/${hash(n)}`,
    Traffic: () => '/admin/traffic',
    Audit: () => '/admin/audit',
    Settings: () => '/admin/settings',
  }
}

async function p95Ms(service: Service, path: (n: number) => string, cookie: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < looks; n += 1) {
    const startMs = performance.now()
    const answer = await service.fetch(
      new Request(`http://localhost${path(n)}`, { headers: { cookie } }),
      () => '192.0.2.1',
    )
    await answer.arrayBuffer()
    times.push(performance.now() - startMs)
    if (answer.status !== 200) throw new Error(`${path(n)} answered ${answer.status}`)
  }
  return quantile(times, 0.95)
}

/** The p99 of a cached card while nobody and while many try passwords, in the same run. */
async function floodRow(service: Service): Promise<Row> {
  const calm = await cardsP99Ms(service)
  const flood = Array.from({ length: logins }, (_, number) =>
    tryPassword(service, 'wrong', `198.51.100.${number}`),
  )
  const busy = await cardsP99Ms(service)
  await Promise.all(flood)
  const ratio = busy / calm
  return {
    what: `Cached card, p99, during ${logins} logins`,
    ours: `${round(busy)} ms`,
    peer: `before them ${round(calm)} ms`,
    ratio: `${round(ratio)}×`,
    target: '≤ 2×',
    passed: ratio <= 2,
  }
}

async function cardsP99Ms(service: Service): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < cardCalls; n += 1) {
    const request = new Request('http://localhost/api/og?title=Hello&demo=1')
    const startMs = performance.now()
    const answer = await service.fetch(request, () => '192.0.2.2')
    await answer.arrayBuffer()
    times.push(performance.now() - startMs)
    // Yields to other work between two calls, as waiting on a socket would.
    await new Promise(setImmediate)
  }
  return quantile(times, 0.99)
}

async function logIn(service: Service, address: string): Promise<string> {
  const answer = await tryPassword(service, password, address)
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (cookie === undefined) throw new Error(`The login answered ${answer.status}`)
  return cookie
}

async function tryPassword(service: Service, given: string, address: string): Promise<Response> {
  const request = new Request('http://localhost/admin/login', {
    method: 'POST',
    body: new URLSearchParams({ password: given }),
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return service.fetch(request, () => address)
}

function quantile(times: readonly number[], at: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * at)] ?? Number.NaN
}
