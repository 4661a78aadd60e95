/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import type { Preview } from '../../src/assets/preview/preview.ts'
import { type Config, settings } from '../../src/config.ts'
import { Problem } from '../../src/errors.ts'
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
import { breakable, type DescriptionRow, descriptionList } from '../../src/site/parts/elements.tsx'
import { backupWithPostgres, lastBackup } from '../../src/store/backup.ts'
import type { Steps } from '../../src/store/database.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import type { AdminDeps } from '../deps.ts'
import { dataTable, descriptionCard, panel, pill, postForm, submitButton } from '../parts/elements.tsx'
import { field } from '../parts/fields.tsx'
import { adminPage, redirect } from '../parts/layout.tsx'
import { paymentsHealth } from '../payments/payment.tsx'
import {
  type AdminRequest,
  type FormRequest,
  type Session,
  type Sessions,
  sessionNameOf,
} from '../session/guard.ts'
import agents from './user-agents.json' with { type: 'json' }

export async function settingsPage(deps: AdminDeps, request: AdminRequest, sessions: readonly Session[]) {
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
  const rows = [...(await paymentsHealth(deps))]
  if (report !== undefined && report !== 'pending') {
    rows.push(['Signed payments', report.takesExact ? 'accepted' : 'not accepted'])
    rows.push(['Checked', formatAgo(report.checkedAtMs, deps.clock.now())])
  }
  const check = report !== undefined && postForm('/admin/payments/check', submitButton('Check the chain now'))
  return descriptionCard('Payments', rows, check)
}

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
  const shown = rows.map(({ name, doc, value }): DescriptionRow => {
    const shownValue = value === '' ? <span class="muted">not set</span> : <code>{value}</code>
    return [[<code>{name}</code>, <small>{doc}</small>], shownValue]
  })
  return descriptionList(shown, 'facts settings')
}

export const sessionForm = Type.Object({ session: Type.String({ default: '' }) })

/** Actions on payments, backups and sessions. Each adds an audit entry and answers 303. */
export function createMaintenanceActions(
  { payments, paymentsMonitor, backup }: AdminDeps,
  sessions: Sessions,
) {
  return {
    async recheckPayment(request: AdminRequest): Promise<Response> {
      const id = request.params['id'] ?? ''
      await payments?.reconcile()
      await payments?.recheck(id)
      await retryWhileLocked(() => request.audit('payment.recheck', id))
      return redirect(`/admin/payments/${encodeURIComponent(id)}`)
    },
    async checkPayments(request: AdminRequest): Promise<Response> {
      await paymentsMonitor.refresh()
      await retryWhileLocked(() => request.audit('payments.check', ''))
      return redirect('/admin/settings')
    },
    async backUp(request: AdminRequest): Promise<Response> {
      if (backup === undefined) throw new Problem('not_found', backupWithPostgres)
      const path = await backup()
      await retryWhileLocked(() => request.audit('backup', '', path))
      return redirect('/admin/settings')
    },
    *endSession(request: FormRequest<typeof sessionForm>): Steps<Response> {
      const { session: id } = request.form
      if (yield* sessions.end(id)) yield* request.audit('session.end', sessionNameOf(id))
      return redirect('/admin/settings')
    },
    *endOtherSessions(request: AdminRequest): Steps<Response> {
      const others = (yield* sessions.list()).filter(({ id }) => id !== request.session.id)
      for (const { id } of others) yield* sessions.end(id)
      yield* request.audit('session.end', '', `${others.length} others`)
      return redirect('/admin/settings')
    },
  }
}

function sessionsCard(sessions: readonly Session[], current: Session, nowMs: number): Markup {
  return panel(
    'Sessions',
    dataTable<Session>({
      label: 'Sessions',
      rows: sessions,
      columns: [
        {
          head: 'Session',
          class: 'main mono',
          cell: ({ name, id }) => [name, id === current.id && <small>this one</small>],
        },
        { head: 'Address', class: 'mono', cell: ({ address }) => address },
        { head: 'Browser', title: (session) => session.userAgent, cell: browserName },
        { head: 'Last seen', cell: ({ lastSeenAtMs }) => formatAgo(lastSeenAtMs, nowMs) },
        {
          head: 'Actions',
          class: 'side right',
          hidesHead: true,
          cell: ({ id }) =>
            postForm('/admin/sessions/end', [
              <input type="hidden" name="session" value={id} />,
              submitButton('End'),
            ]),
        },
      ],
    }),
    sessions.length > 1 &&
      postForm('/admin/sessions/end-others', submitButton('End all others'), { class: 'end' }),
  )
}

/** `Firefox on Linux`. The order of the lists matters: Chrome's header names Safari too, and Edge's names both. */
function browserName({ userAgent }: Session): string {
  const [browser, system] = [agents.browsers, agents.systems].map(
    (names) => Object.entries(names).find(([part]) => userAgent.includes(part))?.[1],
  )
  if (browser === undefined) return userAgent.slice(0, 40) || 'unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}

export const fetchForm = Type.Object({ url: Type.String({ maxLength: 2048, default: '' }) })

export async function testFetchPage(deps: AdminDeps, request: FormRequest<typeof fetchForm>) {
  const { url } = request.form
  await retryWhileLocked(() => request.audit('fetch.test', URL.canParse(url) ? new URL(url).host : ''))
  return adminPage(deps, { title: 'Test fetch', section: 'settings' }, [
    testFetchForm(url),
    descriptionCard('Result', await fetchResult(deps, url)),
  ])
}

function testFetchForm(url = ''): Markup {
  const attributes = { type: 'url', required: true, placeholder: 'https://example.com/' }
  const input = { name: 'url', label: 'URL of a page', schema: fetchForm.properties.url, attributes }
  const fields = [field(input, url), submitButton('Fetch')]
  return panel('Test fetch', postForm('/admin/test-fetch', fields, { class: 'field row' }))
}

async function fetchResult({ loadPreviews }: AdminDeps, url: string): Promise<readonly DescriptionRow[]> {
  try {
    return previewRows(await (await loadPreviews()).preview({ url, fresh: true }))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const status = error.targetStatus === undefined ? '' : ` (${error.targetStatus})`
    return [
      ['Status', pill(error.reason, 'bad')],
      ['Explanation', `${error.message}${status}`],
    ]
  }
}

function previewRows(page: Preview): readonly DescriptionRow[] {
  const { bytes, timing_ms: timing } = page
  const [total, name, connection, head] = [timing.total, timing.dns, timing.connect, timing.headers].map(
    Math.round,
  )
  return [
    ['Status', pill(String(page.http_status), 'ok')],
    ['Title', page.title ?? 'none'],
    ['Final URL', <code>{page.final_url}</code>],
    ['Redirects', String(page.redirects.length)],
    ['Type', page.content_type],
    ['Read', `${formatBytes(bytes.wire)} on the wire, ${formatBytes(bytes.decoded)} decoded`],
    ['Time', `${total} ms: name ${name}, connection ${connection}, head ${head}`],
  ]
}
