/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import type { Preview } from '../../src/assets/preview/preview.ts'
import { Problem } from '../../src/errors.ts'
import { formatAgo, formatBytes } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { backupWithPostgres } from '../../src/store/backup.ts'
import type { Steps } from '../../src/store/database.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import type { AdminDeps } from '../deps.ts'
import {
  type DescriptionRow,
  dataTable,
  descriptionCard,
  panel,
  pill,
  postForm,
  submitButton,
} from '../parts/elements.tsx'
import { field } from '../parts/fields.tsx'
import { adminPage, redirect } from '../parts/layout.tsx'
import type { AdminRequest, FormRequest } from '../session/guard.ts'
import { type Session, type Sessions, sessionNameOf } from '../session/sessions.ts'
import agents from './user-agents.json' with { type: 'json' }

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

export function sessionsCard(sessions: readonly Session[], current: Session, nowMs: number): Markup {
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
        {
          head: 'Browser',
          title: ({ userAgent }) => userAgent,
          cell: ({ userAgent }) => browserName(userAgent),
        },
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
function browserName(userAgent: string): string {
  const [browser, system] = [agents.browsers, agents.systems].map(
    (names) => Object.entries(names).find(([part]) => userAgent.includes(part))?.[1],
  )
  if (browser === undefined) return userAgent.slice(0, 40) || 'unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}

export const fetchForm = Type.Object({ url: Type.String({ maxLength: 2048, default: '' }) })

/** Fetches a page by the rules of previews and shows the result, to tell a fault of the site from one of ours. */
export async function testFetchPage(
  deps: AdminDeps,
  request: FormRequest<typeof fetchForm>,
): Promise<Markup> {
  const { url } = request.form
  await retryWhileLocked(() => request.audit('fetch.test', URL.canParse(url) ? new URL(url).host : ''))
  return adminPage(deps, { title: 'Test fetch', section: 'settings' }, [
    testFetchForm(url),
    descriptionCard('Result', await fetchResult(deps, url)),
  ])
}

export function testFetchForm(url = ''): Markup {
  const input = field(
    {
      name: 'url',
      label: 'URL of a page',
      schema: fetchForm.properties.url,
      attributes: { type: 'url', required: true, placeholder: 'https://example.com/' },
    },
    url,
  )
  return panel(
    'Test fetch',
    postForm('/admin/test-fetch', [input, submitButton('Fetch')], { class: 'field row' }),
  )
}

async function fetchResult({ loadPreviews }: AdminDeps, url: string): Promise<readonly DescriptionRow[]> {
  try {
    return describe(await (await loadPreviews()).preview({ url, fresh: true }))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const status = error.targetStatus === undefined ? '' : ` (${error.targetStatus})`
    return [
      ['Status', pill(error.reason, 'bad')],
      ['Explanation', `${error.message}${status}`],
    ]
  }
}

function describe(page: Preview): readonly DescriptionRow[] {
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
