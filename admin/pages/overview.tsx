/** @jsxImportSource #jsx */
import { dailyLimitOf } from '../../src/access/key-quota.ts'
import { dayMs, utcDay } from '../../src/lib/clock.ts'
import { formatAgo, formatBytes, formatCount, formatSpan } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import { version } from '../../src/lib/version.ts'
import { keyEndSoonDays } from '../../src/operator/concern-limits.ts'
import { lastBackup } from '../../src/store/backup.ts'
import type { TrafficRow } from '../../src/store/traffic.ts'
import { countEndings, countExhausted } from '../data/key-listing.ts'
import { requestKinds } from '../data/request-kinds.ts'
import { callsOf, sumBy, sumByDay } from '../data/traffic-days.ts'
import type { AdminDeps } from '../deps.ts'
import { type DescriptionRow, descriptionCard, panel, shareCard, statRow } from '../parts/cards.tsx'
import { dayChart } from '../parts/chart.tsx'
import { adminPage } from '../parts/layout.tsx'
import { meter, usedOf } from '../parts/meter.tsx'
import { paymentsHealth } from '../parts/payments-health.ts'
import { pill } from '../parts/pill.tsx'

const chartDays = 30
const busiestKeysMax = 5

/** `/admin`: today, the last 30 days, the fullest quotas, and the health of each part. */
export async function overviewPage(deps: AdminDeps): Promise<Markup> {
  const today = utcDay(deps.clock.now())
  const firstDay = today - chartDays + 1
  const rows = await deps.store.traffic.between(firstDay, today)
  const ofToday = rows.filter(({ day }) => day === today)
  return adminPage(
    deps,
    { title: 'Overview', section: 'overview', lead: 'Days are UTC days; today is not over yet.' },
    [
      await todayStats(deps, ofToday),
      dayChart({
        title: 'Requests per day',
        series: requestKinds,
        days: sumByDay(rows, firstDay, today),
      }),
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
        ...(await endingLine(deps)),
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
  const errors = callsOf(rows.filter(({ status }) => status === '5xx'))
  const refused = callsOf(rows.filter(({ status }) => status === '402'))
  return statRow([
    ['Requests today', formatCount(callsOf(rows)), `${formatCount(refused)} unpaid`],
    ['Keys', formatCount(count), 'issued'],
    ['Out of quota', await countExhausted(deps), 'keys'],
    ['Paid today', formatMicros(paid?.amountMicros ?? 0), `USDC in ${formatCount(paid?.count ?? 0)}`],
    ['Server errors', formatCount(errors), 'today'],
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
    ? ['Store', pill(`healthy, ${formatBytes((await store.size()).databaseBytes)}`, 'ok')]
    : ['Store', pill(check.problem, 'bad')]
}

async function backupLine({ store, clock, backup }: AdminDeps): Promise<DescriptionRow> {
  if (backup === undefined) return ['Backup', 'by the tools of PostgreSQL']
  const last = await lastBackup(store.keyValues)
  if (last === undefined) return ['Backup', pill('none yet: make one in the settings', 'warn')]
  const isOld = clock.now() - last.atMs > 7 * dayMs
  return ['Backup', pill(formatAgo(last.atMs, clock.now()), isOld ? 'warn' : 'ok')]
}

/** Keys that end soon; nothing where there are none. */
async function endingLine(deps: AdminDeps): Promise<readonly DescriptionRow[]> {
  const { soon } = await countEndings(deps, 1000)
  if (soon === 0) return []
  const text = `${formatCount(soon)} ${soon === 1 ? 'ends' : 'end'} within ${keyEndSoonDays} days`
  return [['Keys', <a href="/admin/keys?status=ending">{pill(text, 'warn')}</a>]]
}

function processLine({ health, clock }: AdminDeps): DescriptionRow {
  const { startedAtMs, rssBytes } = health()
  const text = `${version}, up for ${formatSpan(clock.now() - startedAtMs)}, ${formatBytes(rssBytes)}`
  return ['Process', pill(text, 'ok')]
}
