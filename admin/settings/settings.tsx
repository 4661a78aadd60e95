/** @jsxImportSource #jsx */
import { type Config, settings } from '../../src/config.ts'
import type { CacheStats } from '../../src/lib/byte-cache.ts'
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatMicros,
  formatSpan,
  formatTime,
} from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { Setting } from '../../src/lib/settings.ts'
import { runtime, version } from '../../src/lib/version.ts'
import { breakable } from '../../src/site/parts/elements.tsx'
import { backupWithPostgres, lastBackup } from '../../src/store/backup.ts'
import type { AdminDeps } from '../deps.ts'
import { descriptionCard, descriptionList, panel, postForm, submitButton } from '../parts/elements.tsx'
import { adminPage } from '../parts/layout.tsx'
import { paymentsHealth } from '../payments/payment-parts.tsx'
import type { AdminRequest } from '../session/guard.ts'
import type { Session } from '../session/sessions.ts'
import { sessionsCard, testFetchForm } from './maintenance.tsx'

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
  const { databaseBytes, walBytes } = await store.size()
  const log = walBytes === undefined ? '' : ` and ${formatBytes(walBytes)} of write-ahead log`
  return descriptionCard('Process', [
    ['Version', version],
    ['Runtime', runtime],
    ['Up for', formatSpan(clock.now() - now.startedAtMs)],
    ['Memory', formatBytes(now.rssBytes)],
    ['Cache', cacheText(now.cache)],
    ['Database', <code>{breakable(store.name)}</code>],
    ['Size', `${formatBytes(databaseBytes)}${log}`],
  ])
}

function cacheText({ bytes, entries, hits, misses }: CacheStats): string {
  const lookups = hits + misses
  const ratio = lookups === 0 ? '' : `, ${((hits / lookups) * 100).toFixed(1)} % hits`
  return `${formatBytes(bytes)} in ${formatCount(entries)} entries${ratio}`
}

async function backupCard({ store, clock, backup }: AdminDeps): Promise<Markup> {
  if (backup === undefined) return panel('Backup', <p class="hint">{backupWithPostgres}</p>)
  const last = await lastBackup(store.keyValues)
  const when = last && `${formatTime(last.atMs)} UTC, ${formatAgo(last.atMs, clock.now())}`
  return descriptionCard(
    'Backup',
    [
      ['Last one', when ?? 'none yet'],
      ...(last ? [['File', <code>{breakable(last.path)}</code>] as const] : []),
    ],
    postForm(
      '/admin/backup',
      [
        <p class="hint">
          Writes a verified copy of the database into the folder <code>backups</code> of the data directory.
          Keep it with <code>master.key</code>: without that key no secret can be derived again.
        </p>,
        <div>{submitButton('Back up now')}</div>,
      ],
      { class: 'form' },
    ),
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

/** Every setting with its value, first those that differ from the default. Secrets are masked. */
export function settingsCard(config: Config): Markup {
  const rows = Object.entries(settings as Readonly<Record<string, Setting<unknown>>>).map(([name, setting]) =>
    describe(name, setting, (config as Readonly<Record<string, unknown>>)[name]),
  )
  const changed = rows.filter(({ isDefault }) => !isDefault)
  const others = rows.filter(({ isDefault }) => isDefault)
  return panel('Configuration', [
    changed.length === 0 ? <p class="muted small">All settings use their default.</p> : settingList(changed),
    <details>
      <summary>{others.length} settings use their default</summary>
      {settingList(others)}
    </details>,
  ])
}

function describe(name: string, { parse, default: text, secret, doc }: Setting<unknown>, value: unknown) {
  const defaultValue = text === undefined ? undefined : parse(text)
  const isDefault = JSON.stringify(defaultValue) === JSON.stringify(value)
  return { name, doc, isDefault, value: secret && !isDefault ? '••••••' : valueText(name, value) }
}

function valueText(name: string, value: unknown): string {
  if (value === undefined) return ''
  if (name.includes('PRICE') && typeof value === 'number') return `${formatMicros(value)} USDC`
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : item)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function settingList(rows: readonly ReturnType<typeof describe>[]): Markup {
  const shown = rows.map(
    ({ name, doc, value }) =>
      [
        [<code>{name}</code>, <small>{doc}</small>],
        value === '' ? <span class="muted">not set</span> : <code>{value}</code>,
      ] as const,
  )
  return descriptionList(shown, 'facts settings')
}
