import type { Authorization, AuthorizationRequest } from '../../src/access/authorization.ts'
import { createAuthorizer } from '../../src/access/authorizer.ts'
import { createKeys } from '../../src/access/keys.ts'
import { createSecrets } from '../../src/access/secrets.ts'
import { createTrafficLog } from '../../src/access/traffic-log.ts'
import { og } from '../../src/assets/og/asset.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { hasParameter } from '../../src/http/query.ts'
import { utcDay } from '../../src/lib/clock.ts'
import type { Payments } from '../../src/payments/payments.ts'
import type { ChangeWatch } from '../../src/store/change-watch.ts'
import type { Meter } from '../../src/store/meter.ts'
import type { Store } from '../../src/store/open.ts'
import { type MovableClock, movableClock } from '../store/clock.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { openTestStore } from '../support/test-store.ts'

export const noonMs = Date.parse('2026-03-01T12:00:00Z')

/** Everything that authorizes calls, on one database and with a clock that the test moves. */
export async function openAccess({ path = ':memory:', ...options }: TemporaryAccessOptions = {}) {
  const clock = movableClock(noonMs)
  const store = await openTestStore({ path, clock })
  return { ...createAccess({ store, clock, ...options }), store }
}

/** Everything that authorizes calls, on the store of either database. */
export function createAccess({
  store,
  clock,
  meter = store.meter,
  changes = store.changes,
  payments,
  demoDailyQuota = 3,
  isDivided = () => true,
}: AccessOptions) {
  const traffic = createTrafficLog({ store, clock })
  const secrets = createSecrets(new Uint8Array(32).fill(7))
  const keys = createKeys(store, secrets, clock)
  const authorizer = createAuthorizer({
    store: { ...store, meter, changes },
    traffic,
    clock,
    secrets,
    skewSeconds: 300,
    keyDailyQuota: 3,
    demoDailyQuota,
    isDivided,
    ...(payments && { payments }),
  })
  return {
    clock,
    meter,
    traffic,
    secrets,
    keys,
    rotateLeaked: (id: string, sinceDay?: number) => store.transaction(() => keys.rotateLeaked(id, sinceDay)),
    authorizer,
    call: async (url: string, method = 'GET') => authorizer.authorize(requestOf(url, method)),
    used: (bucket: string) => store.usage.used(utcDay(clock.now()), bucket),
    usedInAll: async () => (await store.traffic.totals()).reduce((sum, { count }) => sum + count, 0),
  }
}

interface AccessOptions extends Omit<TemporaryAccessOptions, 'path'> {
  readonly store: Store
  readonly clock: MovableClock
  readonly meter?: Meter
  readonly changes?: ChangeWatch
}

export interface TemporaryAccessOptions {
  readonly path?: string
  readonly payments?: Pick<Payments, 'authorize'>
  readonly demoDailyQuota?: number
  readonly isDivided?: (client: string) => boolean
}

const origin = 'https://mintmark.example'

/** Cuts the URL itself, so that the raw query stays as it is. */
export function requestOf(url: string, method = 'GET'): AuthorizationRequest {
  const [path = '', rawQuery = ''] = url.replace(origin, '').split('?')
  return {
    method,
    path,
    rawQuery,
    baseUrl: origin,
    headers: new Headers(),
    url: `${origin}${path}?${rawQuery}`,
    priceMicros: 10_000,
    endpoint: 'og',
    isParameter: (name) => hasParameter(og.query, name),
    clientAddress: '192.0.2.1',
  }
}

/** The outcome in one word: the mode that granted the call, or the code of the refusal. */
export function outcome(authorization: Authorization): string {
  if (authorization.granted) return authorization.mode
  return authorization.error === 'refused' ? authorization.refusal.code : authorization.error
}

export function signed(pair: SigningPair, nowMs: number, url = '/api/og?title=Hello'): Promise<string> {
  return signUrl(origin + url, namesOf(pair), { t: Math.floor(nowMs / 1000) })
}

export function embedded(
  pair: SigningPair,
  parameters: Readonly<Record<string, string>> = { title: 'Hello' },
  expMs = noonMs + 86_400_000 * 30,
) {
  return signEmbed(`${origin}/api/og`, parameters, namesOf(pair), Math.floor(expMs / 1000))
}

interface SigningPair {
  readonly key: { readonly id: string }
  readonly secret: string
}

function namesOf({ key, secret }: SigningPair) {
  return { key: key.id, secret }
}
