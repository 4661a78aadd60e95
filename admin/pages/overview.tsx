/** @jsxImportSource #jsx */

import { type Static, Type } from '@sinclair/typebox'
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatAgo, formatBytes, formatCount, formatSpan } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import { version } from '../../src/lib/version.ts'
import { lastBackup } from '../../src/store/backup.ts'
import type { TrafficRow } from '../../src/store/usage.ts'
import { countExhausted } from '../data/key-listing.ts'
import { outcomeOf, type RequestOutcome } from '../data/request-kinds.ts'
import { periodField, readRequestPeriods } from '../data/request-periods.ts'
import { callsOf, sumBy } from '../data/traffic-sums.ts'
import type { AdminDeps } from '../deps.ts'
import { type DescriptionRow, descriptionCard, panel, shareCard, statRow } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { meter, usedOf } from '../parts/meter.tsx'
import { needsPanel } from '../parts/needs.tsx'
import { paymentsHealth } from '../parts/payments-health.ts'
import { pill } from '../parts/pill.tsx'
import { requestChart } from '../parts/request-chart.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

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
      needsPanel(await deps.concerns.read()),
      await todayStats(deps, ofToday),
      requestChart(by, await readRequestPeriods(deps, by), '/admin'),
      <div class="cols">
        {await quotaUse(deps, today)}
        {shareCard(
          'Today by endpoint',
          sumBy(ofToday, ({ endpoint }) => endpoint),
          ['No requests yet today. ', <a href="/">Make the first one in the playground.</a>],
        )}
      </div>,
      descriptionCard('Health', [
        await storeLine(deps),
        ...(await paymentsHealth(deps)),
        await backupLine(deps),
        processLine(deps),
      ]),
    ],
  )
}

async function todayStats(deps: AdminDeps, rows: readonly TrafficRow[]): Promise<Markup> {
  const { store, clock } = deps
  const today = utcDay(clock.now())
  const paid = (await store.paymentList.days(today, today))[0]
  const count = await store.keys.issued()
  function countOf(outcome: RequestOutcome): string {
    return formatCount(callsOf(rows.filter((row) => outcomeOf(row) === outcome)))
  }
  return statRow([
    [
      'Requests today',
      formatCount(callsOf(rows)),
      `${countOf('Unpaid')} unpaid, ${countOf('Refused')} refused`,
    ],
    ['Keys', formatCount(count), 'issued'],
    ['Out of quota', await countExhausted(deps), 'keys'],
    ['Paid today', formatMicros(paid?.amountMicros ?? 0), `USDC in ${formatCount(paid?.count ?? 0)}`],
    ['Failed', countOf('Failed'), 'today'],
  ])
}

async function quotaUse({ store, config, clock }: AdminDeps, today: number): Promise<Markup> {
  const lines = [
    {
      name: 'Demo, for everyone',
      href: undefined,
      used: await store.usage.used(today, 'demo'),
      limit: config.DEMO_DAILY_QUOTA,
    },
    ...(await store.keyList.mostUsed(today, busiestKeysMax)).map((key) => ({
      name: key.name || key.id,
      href: `/admin/keys/${key.id}`,
      used: key.used,
      limit: dailyLimitOf(key, config.KEY_DAILY_QUOTA, clock.now()),
    })),
  ]
  return panel(
    'Quota usage',
    <ul class="shares">
      {lines.map(({ name, href, used, limit }) => (
        <li>
          <span dir="auto">{href ? <a href={href}>{name}</a> : name}</span>
          <b class="num">{usedOf(used, limit)}</b>
          {meter(used, limit ?? Number.POSITIVE_INFINITY)}
        </li>
      ))}
    </ul>,
    <a class="small end" href="/admin/keys?sort=used">
      All keys
    </a>,
  )
}

async function storeLine({ store }: AdminDeps): Promise<DescriptionRow> {
  const check = store.check()
  return check.ok
    ? ['Store', pill(`Healthy, ${formatBytes((await store.size()).databaseBytes)}`, 'ok')]
    : ['Store', pill(sentence(check.problem), 'bad')]
}

async function backupLine({ store, clock, backup }: AdminDeps): Promise<DescriptionRow> {
  if (backup === undefined) return ['Backup', 'By the tools of PostgreSQL']
  const last = await lastBackup(store.keyValues)
  if (last === undefined) return ['Backup', pill('None yet: make one in the settings', 'warn')]
  const isOld = clock.now() - last.atMs > 7 * dayMs
  return ['Backup', pill(sentence(formatAgo(last.atMs, clock.now())), isOld ? 'warn' : 'ok')]
}

function processLine({ health, clock }: AdminDeps): DescriptionRow {
  const { startedAtMs, rssBytes } = health()
  const text = `Version ${version}, up for ${formatSpan(clock.now() - startedAtMs)}, ${formatBytes(rssBytes)}`
  return ['Process', pill(text, 'ok')]
}

/** The text with a capital letter at its start. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
