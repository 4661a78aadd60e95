/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AdminDeps, ServiceHealth } from '../deps.ts'
import { lastBackup } from '../last-backup.ts'
import { factList } from '../parts/facts.tsx'
import { pill } from '../parts/figures.tsx'
import { formatAgo, formatBytes, formatCount, formatSpan, formatTime } from '../parts/format.ts'
import { adminPage } from '../parts/layout.tsx'
import { paymentsHealth } from '../parts/payments-health.ts'
import { sessionsPart } from '../parts/sessions.tsx'
import { settingsInForce } from '../parts/settings-in-force.tsx'
import type { Session } from '../session.ts'
import type { Visit } from '../session-guard.ts'
import { testFetchForm } from './test-fetch.tsx'

/** `/admin/settings`: what is in force, how the parts are, backups and sessions. */
export async function settingsPage(
  deps: AdminDeps,
  visit: Visit,
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
        {runningPart(deps)}
        {backupPart(deps)}
      </div>,
      await paymentsPart(deps),
      testFetchForm(),
      sessionsPart(sessions, visit.session, deps.clock.now()),
      settingsInForce(deps.config),
    ],
  )
}

function runningPart({ health, clock }: AdminDeps): Markup {
  const now = health()
  return factList('Running', [
    ['Version', now.version],
    ['Runtime', now.runtime],
    ['Up for', formatSpan(clock.now() - now.startedAtMs)],
    ['Memory', formatBytes(now.rssBytes)],
    ['Cache', cacheWords(now)],
    ['Database', <code>{now.databasePath}</code>],
    ['Size', `${formatBytes(now.databaseBytes)} and ${formatBytes(now.walBytes)} of write-ahead log`],
  ])
}

function cacheWords({ cacheBytes, cacheEntries, cacheHits, cacheMisses }: ServiceHealth): string {
  const asked = cacheHits + cacheMisses
  const ratio = asked === 0 ? '' : `, ${((cacheHits / asked) * 100).toFixed(1)} % hits`
  return `${formatBytes(cacheBytes)} in ${formatCount(cacheEntries)} entries${ratio}`
}

function backupPart({ store, clock }: AdminDeps): Markup {
  const last = lastBackup(store.keyValues)
  return factList(
    'Backup',
    [
      ['Last one', last ? `${formatTime(last.atMs)} UTC, ${formatAgo(last.atMs, clock.now())}` : 'none yet'],
      ...(last ? [['File', <code>{last.path}</code>] as const] : []),
    ],
    <form class="form" method="post" action="/admin/backup">
      <p class="hint">
        Writes a verified copy of the database into the folder <code>backups</code> of the data directory.
        Keep it with <code>master.key</code>: without that key no secret can be derived again.
      </p>
      <div>
        <button class="btn" type="submit">
          Back up now
        </button>
      </div>
    </form>,
  )
}

async function paymentsPart(deps: AdminDeps): Promise<Markup> {
  const lines = await paymentsHealth(deps)
  const report = await deps.paymentsWatch.latest()
  const isKnown = report !== undefined && report !== 'pending'
  return factList(
    'Payments',
    [
      ...lines.map(({ name, tone, words }): [string, Markup] => [name, pill(words, tone)]),
      ...(isKnown ? [['Signed payments', report.takesExact ? 'accepted' : 'not accepted'] as const] : []),
      ...(isKnown ? [['Asked', formatAgo(report.askedAtMs, deps.clock.now())] as const] : []),
    ],
    report !== undefined && (
      <form method="post" action="/admin/payments/check">
        <button class="btn" type="submit">
          Ask the chain now
        </button>
      </form>
    ),
  )
}
