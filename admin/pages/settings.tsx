/** @jsxImportSource #jsx */
import type { CacheStats } from '../../src/lib/byte-cache.ts'
import { formatAgo, formatBytes, formatCount, formatSpan, formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { runtime, version } from '../../src/lib/version.ts'
import { breakable } from '../../src/site/parts/breakable.tsx'
import { backupWithPostgres, lastBackup } from '../../src/store/backup.ts'
import type { StoreSize } from '../../src/store/open.ts'
import type { AdminDeps } from '../deps.ts'
import { postForm, submitButton } from '../parts/buttons.tsx'
import { descriptionCard, panel } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { paymentsHealth } from '../parts/payments-health.ts'
import { sessionsCard } from '../parts/session-table.tsx'
import { settingsCard } from '../parts/settings-table.tsx'
import type { AdminRequest } from '../session/admin-request.ts'
import type { Session } from '../session/sessions.ts'
import { testFetchForm } from './test-fetch.tsx'

/** `/admin/settings`: process, backups, payments, sessions and the settings' values. */
export async function settingsPage(
  deps: AdminDeps,
  request: AdminRequest,
  sessions: readonly Session[],
): Promise<Markup> {
  return adminPage(
    deps,
    {
      title: 'Settings',
      section: 'settings',
      lead: 'Settings are environment variables: change them there and restart. Secrets are not shown.',
    },
    [
      <div class="cols">
        {await processCard(deps)}
        {await backupCard(deps)}
      </div>,
      await paymentsCard(deps),
      testFetchForm(),
      sessionsCard(sessions, request.session, deps.clock.now()),
      settingsCard(deps.config),
    ],
  )
}

async function processCard({ health, store, clock }: AdminDeps): Promise<Markup> {
  const now = health()
  return descriptionCard('Process', [
    ['Version', version],
    ['Runtime', runtime],
    ['Up for', formatSpan(clock.now() - now.startedAtMs)],
    ['Memory', formatBytes(now.rssBytes)],
    ['Cache', cacheText(now.cache)],
    ['Database', <code>{breakable(store.name)}</code>],
    ['Size', sizeText(await store.size())],
  ])
}

function sizeText({ databaseBytes, walBytes }: StoreSize): string {
  const log = walBytes === undefined ? '' : ` and ${formatBytes(walBytes)} of write-ahead log`
  return `${formatBytes(databaseBytes)}${log}`
}

function cacheText({ bytes, entries, hits, misses }: CacheStats): string {
  const lookups = hits + misses
  const ratio = lookups === 0 ? '' : `, ${((hits / lookups) * 100).toFixed(1)} % hits`
  return `${formatBytes(bytes)} in ${formatCount(entries)} entries${ratio}`
}

async function backupCard({ store, clock, backup }: AdminDeps): Promise<Markup> {
  if (backup === undefined) return panel('Backup', <p class="hint">{backupWithPostgres}</p>)
  const last = await lastBackup(store.keyValues)
  return descriptionCard(
    'Backup',
    [
      ['Last one', last ? `${formatTime(last.atMs)} UTC, ${formatAgo(last.atMs, clock.now())}` : 'none yet'],
      ...(last ? [['File', <code>{breakable(last.path)}</code>] as const] : []),
    ],
    <form class="form" method="post" action="/admin/backup">
      <p class="hint">
        Writes a verified copy of the database into the folder <code>backups</code> of the data directory.
        Keep it with <code>master.key</code>: without that key no secret can be derived again.
      </p>
      <div>{submitButton('Back up now')}</div>
    </form>,
  )
}

async function paymentsCard(deps: AdminDeps): Promise<Markup> {
  const report = await deps.paymentsMonitor.latest()
  const isKnown = report !== undefined && report !== 'pending'
  return descriptionCard(
    'Payments',
    [
      ...(await paymentsHealth(deps)),
      ...(isKnown ? [['Signed payments', report.takesExact ? 'accepted' : 'not accepted'] as const] : []),
      ...(isKnown ? [['Checked', formatAgo(report.checkedAtMs, deps.clock.now())] as const] : []),
    ],
    report !== undefined && postForm('/admin/payments/check', submitButton('Check the chain now')),
  )
}
