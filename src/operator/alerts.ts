import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FetchSettings, fetchOptions } from '../assets/live-pages.ts'
import type { Config } from '../config.ts'
import { type Clock, dayMs, hourMs } from '../lib/clock.ts'
import { hmacHex } from '../lib/password.ts'
import { version } from '../lib/version.ts'
import type { Store } from '../store/open.ts'
import type { AlertRow } from '../store/operator.ts'
import { retryWhileLocked } from '../store/store-error.ts'
import type { WebPoster } from '../web/hop.ts'
import type { Concern, ConcernKind, Concerns } from './concerns.ts'

interface AlertsDeps {
  readonly store: Pick<Store, 'alerts' | 'transaction'>
  readonly concerns: Pick<Concerns, 'read'>
  readonly clock: Clock
  readonly send: AlertSender
  readonly baseUrl: string | undefined
  readonly onProblem: (problem: string) => void
}

/** Waits before the second attempt and those after it. Then an alert is given up. */
const retryDelaysMs = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000] as const
const lookEveryMs = 10_000
const firstLookMs = 1_000
const sentAtOnceMax = 50
/** Events that are stored in one transaction, during which SQLite lets nothing else run. */
const storedAtOnceMax = 50

/** Each event is stored before it is sent: so once, by however many servers, and again only where an attempt failed or died. */
export function createAlerts(deps: AlertsDeps) {
  const { store, concerns, clock, onProblem } = deps
  const isAbsenceTold = createAbsenceAlert(deps)
  let isOver = false
  /** When each event that lasts was stored, because storing thousands at every look would be work for nothing. */
  let storedAtMs: ReadonlyMap<string, number> = new Map()

  /** Stores events that are new, a few in each turn of the event loop. Should this end early, the next look stores the others. */
  async function record(found: readonly Concern[]): Promise<void> {
    const nowMs = clock.now()
    const earlier = storedAtMs
    const current = new Map<string, number>()
    const due: Concern[] = []
    for (const concern of found) {
      const storedMs = earlier.get(concern.id)
      if (storedMs === undefined || nowMs - storedMs >= keptMs(concern.kind) / 2) due.push(concern)
      else current.set(concern.id, storedMs)
    }
    storedAtMs = current
    for (let start = 0; start < due.length; start += storedAtOnceMax) {
      if (start > 0) await nextTurn()
      const batch = due.slice(start, start + storedAtOnceMax)
      const events = batch.map((concern) => ({
        name: concern.id,
        body: alertBody(concern, { ...deps, nowMs }),
        keptUntilMs: nowMs + keptMs(concern.kind),
        nowMs,
      }))
      function* steps() {
        for (const event of events) yield* store.alerts.note(event)
      }
      await retryWhileLocked(() => store.transaction(steps))
      for (const { id } of batch) current.set(id, nowMs)
    }
    await retryWhileLocked(() => store.alerts.forget(nowMs))
  }

  async function attempt(alert: AlertRow): Promise<void> {
    const delayMs = retryDelaysMs[alert.attempts]
    const nextDueMs = delayMs === undefined ? null : clock.now() + delayMs
    const isOurs = await retryWhileLocked(() => store.alerts.claim(alert, nextDueMs))
    if (!isOurs) return
    const { isDelivered, text } = await deps.send(alert.body)
    if (isDelivered) await retryWhileLocked(() => store.alerts.finish(alert.name))
    else onProblem(nextDueMs === null ? `${text} The alert ${alert.name} is given up.` : text)
  }

  /** Finds new events and sends what is due. Never rejects. */
  async function look(): Promise<void> {
    try {
      const found = await concerns.read()
      if (await isAbsenceTold(found)) return
      await record(found)
      for (const alert of await store.alerts.due(clock.now(), sentAtOnceMax)) {
        if (isOver) return
        await attempt(alert)
      }
    } catch (error) {
      if (!isOver) onProblem(String(error))
    }
  }

  return {
    look,
    /** Looks again and again, and returns what stops that; it resolves when nothing is being sent any more. */
    start(): () => Promise<void> {
      let looking = Promise.resolve()
      let timer = setTimeout(run, firstLookMs)
      timer.unref()
      function run(): void {
        looking = look().then(() => {
          if (isOver) return
          timer = setTimeout(run, lookEveryMs)
          timer.unref()
        })
      }
      return () => {
        isOver = true
        clearTimeout(timer)
        return looking
      }
    },
  }
}

/** The database's absence cannot be stored: each server tells it once, and again only if it begins an hour after the last. */
function createAbsenceAlert({ clock, send, baseUrl, onProblem }: AlertsDeps) {
  let lastSeenMs = Number.NEGATIVE_INFINITY
  let isTold = false
  /** True while the database is away, and nothing else can be told. */
  return async (found: readonly Concern[]): Promise<boolean> => {
    const absence = found.find(({ kind }) => kind === 'database')
    if (absence === undefined) return false
    const nowMs = clock.now()
    if (nowMs - lastSeenMs > hourMs) isTold = false
    lastSeenMs = nowMs
    if (isTold) return true
    const { isDelivered, text } = await send(alertBody(absence, { nowMs, baseUrl }))
    if (isDelivered) isTold = true
    else onProblem(text)
    return true
  }
}

/** An event that comes and goes is told again after an hour; keys and payments happen once, and may be out of sight. */
function keptMs(kind: ConcernKind): number {
  return lastingKinds.has(kind) ? 2 * dayMs : hourMs
}

const lastingKinds = new Set<ConcernKind>(['key_quota', 'key_end', 'public_keys', 'payment_in_doubt'])

interface AlertSenderDeps {
  readonly config: FetchSettings & Pick<Config, 'ALERT_WEBHOOK_URL' | 'ALERT_WEBHOOK_SECRET'>
  readonly clock: Clock
  readonly readFile: (path: string) => string
}

type AlertSender = (body: string) => Promise<{ readonly isDelivered: boolean; readonly text: string }>

export function createAlertSender({ config, clock, readFile }: AlertSenderDeps): AlertSender | undefined {
  const { ALERT_WEBHOOK_URL: receiver, ALERT_WEBHOOK_SECRET: secret } = config
  if (receiver === undefined) return undefined
  const url = new URL(receiver)
  let poster: Promise<WebPoster> | undefined
  return async (body) => {
    // Loaded with the first alert, because it takes memory.
    poster ??= import('../web/hop.ts').then(({ createWebPoster }) =>
      createWebPoster(fetchOptions(config, readFile)),
    )
    const headers = {
      'Content-Type': 'application/json',
      ...(secret !== undefined && { 'X-Mintmark-Signature': signatureOf(body, secret, clock.now()) }),
    }
    try {
      const status = await (await poster).post(url, body, headers)
      const isDelivered = status >= 200 && status < 300
      return { isDelivered, text: `The receiver answered with status ${status}.` }
    } catch (error) {
      return { isDelivered: false, text: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** The text that a receiver checks: `t=<unix seconds>,sig=<hex HMAC-SHA256 over "<t>.<body>">`. */
function signatureOf(body: string, secret: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1000)
  return `t=${t},sig=${hmacHex(secret, `${t}.${body}`)}`
}

interface AlertEvent extends Omit<Concern, 'kind' | 'id'> {
  readonly kind: ConcernKind | 'test'
}

interface AlertContext {
  readonly nowMs: number
  /** Undefined: links are paths. */
  readonly baseUrl: string | undefined
}

/** The JSON that is sent about an event. Its `id` is the same at each attempt, so that a receiver can tell a repetition. */
function alertBody(
  { kind, level, subject, text, path, values }: AlertEvent,
  { nowMs, baseUrl = '' }: AlertContext,
): string {
  return JSON.stringify({
    id: `al_${randomBytes(12).toString('hex')}`,
    kind,
    level,
    subject,
    text,
    link: baseUrl + path,
    values,
    at: new Date(nowMs).toISOString(),
    version,
  })
}

export function testAlertBody(context: AlertContext): string {
  const text = 'This is a test: alerts arrive here.'
  return alertBody(
    { kind: 'test', level: 'soon', subject: 'Mintmark', text, path: '/admin', values: {} },
    context,
  )
}
