/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatAgo, formatBytes, formatCount, formatMicros, formatSpan } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { capitalized, fill } from '../../src/lib/texts.ts'
import { version } from '../../src/lib/version.ts'
import { type Concern, keyEndSoonDays, quotaPercentSoon, subjectsMax } from '../../src/operator/concerns.ts'
import { lastBackup } from '../../src/store/backup.ts'
import type { TrafficRow } from '../../src/store/usage.ts'
import type { AdminDeps } from '../deps.ts'
import { countExhausted } from '../lists/keys.tsx'
import {
  callsOf,
  endpointName,
  outcomeOf,
  periodField,
  type RequestOutcome,
  readRequestPeriods,
  requestChart,
  sumBy,
} from '../lists/usage.tsx'
import {
  barCard,
  barList,
  descriptionCard,
  linkButton,
  meter,
  panel,
  pill,
  statRow,
  usedOf,
} from '../parts/elements.tsx'
import { adminPage } from '../parts/layout.tsx'
import { paymentsHealth } from '../payments/payment.tsx'
import type { AdminRequest } from '../session/guard.ts'
import summaryTexts from './summaries.json' with { type: 'json' }

const busiestKeysMax = 5

export const overviewQuery = Type.Object({ by: periodField })

/** `/admin`: what needs the operator, today, the requests, the fullest quotas, and the health of each part. */
export async function overviewPage(
  deps: AdminDeps,
  { query: { by } }: AdminRequest<Static<typeof overviewQuery>>,
): Promise<Markup> {
  const today = utcDay(deps.clock.now())
  const ofToday = await deps.store.traffic.between(today, today)
  return adminPage(
    deps,
    { title: 'Overview', section: 'overview', lead: 'Days are UTC days; today is not over yet.' },
    [
      needsPanel([...(await deps.concerns.read()), ...(await setUpNeeds(deps))]),
      await todayStats(deps, ofToday, today),
      requestChart(by, await readRequestPeriods(deps, by), '/admin'),
      <div class="cols">
        {await quotaUse(deps, today)}
        {barCard('Today by endpoint', sumBy(ofToday, endpointName), [
          'No requests yet today. ',
          <a href="/">Make the first one in the playground.</a>,
        ])}
      </div>,
      descriptionCard('Health', [
        ['Store', await storePill(deps)],
        ...(await paymentsHealth(deps)),
        ['Backup', await backupText(deps)],
        ['Process', processPill(deps)],
      ]),
    ],
  )
}

async function todayStats(deps: AdminDeps, rows: readonly TrafficRow[], today: number): Promise<Markup> {
  const { store } = deps
  const paid = (await store.paymentList.days(today, today))[0]
  function countOf(outcome: RequestOutcome): string {
    return formatCount(callsOf(rows.filter((row) => outcomeOf(row) === outcome)))
  }
  return statRow([
    [
      'Requests today',
      formatCount(callsOf(rows)),
      `${countOf('Unpaid')} unpaid, ${countOf('Refused')} refused`,
    ],
    ['Keys', formatCount(await store.keys.issued()), 'issued'],
    ['Out of quota', await countExhausted(deps), 'keys'],
    ['Paid today', formatMicros(paid?.amountMicros ?? 0), `USDC in ${formatCount(paid?.count ?? 0)}`],
    ['Failed', countOf('Failed'), 'today'],
  ])
}

async function quotaUse({ store, config, clock }: AdminDeps, today: number): Promise<Markup> {
  function line(name: Markup | string, used: number, limit: number | null) {
    return { name, value: usedOf(used, limit), bar: meter(used, limit ?? Number.POSITIVE_INFINITY) }
  }
  const busiest = await store.keyList.mostUsed(today, busiestKeysMax)
  const lines = [
    line('Demo, for everyone', await store.usage.used(today, 'demo'), config.DEMO_DAILY_QUOTA),
    ...busiest.map((key) =>
      line(
        <a href={`/admin/keys/${key.id}`}>{key.name || key.id}</a>,
        key.used,
        dailyLimitOf(key, config.KEY_DAILY_QUOTA, clock.now()),
      ),
    ),
  ]
  return panel('Quota usage', barList(lines), linkButton('/admin/keys?sort=used', 'All keys', 'small end'))
}

async function storePill({ store }: AdminDeps): Promise<Markup> {
  const check = store.check()
  if (!check.ok) return pill(capitalized(check.problem), 'bad')
  return pill(`Healthy, ${formatBytes((await store.size()).databaseBytes)}`, 'ok')
}

async function backupText({ store, clock, backup }: AdminDeps): Promise<Child> {
  if (backup === undefined) return 'By the tools of PostgreSQL'
  const last = await lastBackup(store.keyValues)
  if (last === undefined) return pill('None yet: make one in the settings', 'warn')
  const isOld = clock.now() - last.atMs > 7 * dayMs
  return pill(capitalized(formatAgo(last.atMs, clock.now())), isOld ? 'warn' : 'ok')
}

function processPill({ health, clock }: AdminDeps): Markup {
  const { startedAtMs, rssBytes } = health()
  return pill(
    `Version ${version}, up for ${formatSpan(clock.now() - startedAtMs)}, ${formatBytes(rssBytes)}`,
    'ok',
  )
}

/** More concerns of a kind than these are one line. */
const linesPerKindMax = 4

type Need = Pick<Concern, 'level' | 'text' | 'path'> & { readonly kind: string }

/** One sentence for many concerns of a kind, or of a kind and level, and the list that has them. */
const summaries: Readonly<Record<string, readonly string[]>> = summaryTexts

/** The settings that a new installation still lacks. Alerts leave it out, because it waits for nobody. */
async function setUpNeeds({ config, store, backup }: AdminDeps) {
  const isUnsaved = backup !== undefined && (await lastBackup(store.keyValues)) === undefined
  const level = 'soon' as const
  const unsaved = 'No backup was ever made: make one, and one every hour.'
  const unnamed = 'BASE_URL is not set: answers name the host that each caller asked for.'
  return [
    isUnsaved && { kind: 'backup', level, text: unsaved, path: '/admin/settings' },
    config.BASE_URL === undefined && { kind: 'base_url', level, text: unnamed, path: '/docs/settings' },
  ].filter((need) => need !== false)
}

function needsPanel(concerns: readonly Need[]): Markup {
  const groups = Map.groupBy(concerns, ({ kind, level }) => `${kind} ${level}`)
  const needs = [...groups].flatMap(([name, group]) => summarized(name, group))
  const title = 'Needs attention'
  if (needs.length === 0)
    return panel(title, <p class="muted small">Nothing needs attention.</p>, pill('All well', 'ok'))
  return panel(
    title,
    <ul class="needs grid">
      {needs.map(({ level, text, path }) => (
        <li>
          {level === 'now' ? pill('Now', 'bad') : pill('Soon', 'warn')}
          <a href={path}>{text}</a>
        </li>
      ))}
    </ul>,
  )
}

function summarized(name: string, concerns: readonly Need[]): readonly Need[] {
  const [first] = concerns
  const [summary, path = ''] = summaries[name] ?? summaries[first?.kind ?? ''] ?? []
  if (first === undefined || summary === undefined || concerns.length <= linesPerKindMax) return concerns
  const count = concerns.length < subjectsMax ? formatCount(concerns.length) : `${subjectsMax} or more`
  return [{ ...first, path, text: fill(summary, { count, quotaPercentSoon, keyEndSoonDays }) }]
}
