/** @jsxImportSource #jsx */
import type { Problem } from '../../src/errors.ts'
import { htmlResponse } from '../../src/http/responses.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import { type Child, Markup } from '../../src/lib/jsx/markup.ts'
import { fontPreloads } from '../../src/site/fonts/fonts.tsx'
import { brandMark, icon } from '../../src/site/parts/icons.tsx'
import { adminAssets } from '../assets.ts'
import type { AdminDeps } from '../deps.ts'
import { keysOf, linkButton, postForm, submitButton } from './elements.tsx'
import sections from './sections.json' with { type: 'json' }

export type Section = keyof typeof sections

export interface AdminPage {
  readonly title: string
  readonly section: Section
  readonly note?: Child
  readonly buttons?: Child
  readonly lead?: Child
  readonly refreshSeconds?: number
  readonly script?: string
}

export async function adminPage(deps: AdminDeps, page: AdminPage, children: Child): Promise<Markup> {
  const { title, section, note, buttons, lead } = page
  return documentOf(
    title,
    [
      <a class="skip" href="#main">
        Skip to content
      </a>,
      await sidebar(section, deps),
      <main id="main" tabindex="-1" data-refresh-seconds={page.refreshSeconds}>
        <div class="head">
          <h1 dir="auto">{title}</h1>
          {note}
          {buttons !== undefined && <div class="end row">{buttons}</div>}
          {lead !== undefined && <p class="muted small">{lead}</p>}
        </div>
        {children}
      </main>,
    ],
    page,
  )
}

export function loggedOutPage(title: string, children: Child): Markup {
  return documentOf(
    title,
    <main id="main" class="door">
      <div class="brand">{brandMark()}Mintmark</div>
      <section class="card panel">
        <h1>{title}</h1>
        {children}
      </section>
    </main>,
  )
}

function documentOf(title: string, children: Child, { refreshSeconds, script }: Partial<AdminPage> = {}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refreshSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
        <title>{title} · Mintmark admin</title>
        <link rel="icon" href={adminAssets.path('admin-mark.svg')} type="image/svg+xml" />
        {fontPreloads(['inter'])}
        <link rel="stylesheet" href={adminAssets.path('admin.css')} />
        {['admin.js', ...(script ? [script] : [])].map((name) => (
          <script type="module" src={adminAssets.path(name)} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}

async function sidebar(current: Section, { store, clock }: AdminDeps): Promise<Markup> {
  const today = utcDay(clock.now())
  const [paid] = await store.paymentList.days(today, today)
  const counts: Partial<Record<Section, number>> = {
    keys: await store.keys.issued(),
    payments: paid?.count ?? 0,
  }
  return (
    <header class="rail">
      <div>
        <a class="brand" href="/admin">
          {brandMark()}
          <span>Mintmark</span>
        </a>
        <nav aria-label="Admin">
          {keysOf(sections).map((id) => (
            <a
              href={id === 'overview' ? '/admin' : `/admin/${id}`}
              aria-current={id === current ? 'page' : undefined}
            >
              {icon(id)}
              {sections[id]}
              {counts[id] ? <span class="count small muted end">{formatCount(counts[id])}</span> : undefined}
            </a>
          ))}
        </nav>
        <div class="foot row small muted">
          <span>operator</span>
          {postForm('/admin/logout', submitButton([icon('leave'), 'Log out'], 'btn ghost'))}
        </div>
      </div>
    </header>
  )
}

/** A page of the operator's area, which no cache stores. A handler's own response is returned as it is. */
export function adminResponse(
  answer: Markup | Response,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (!(answer instanceof Markup)) return answer
  return htmlResponse(answer, {
    status,
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin', ...headers },
  })
}

/** 303: the browser goes to `location` with GET. */
export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } })
}

/** Thrown by handlers that changed nothing. The answer is a page that says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: (deps: AdminDeps) => Promise<Response>

  constructor(page: AdminPage, reason: string, back: Markup, status: number) {
    super(reason)
    const card = <section class="card empty grid">{[<h2>{reason}</h2>, back]}</section>
    this.answer = async (deps) => adminResponse(await adminPage(deps, page, card), status)
  }
}

export function notFound(section: Section, reason: string): Refusal {
  const back = linkButton(`/admin/${section}`, 'Back to the list')
  return new Refusal({ title: 'Not found', section }, reason, back, 404)
}

export function invalidForm(section: Section, reason: string, form: string, status = 400): Refusal {
  return new Refusal({ title: 'Not changed', section }, reason, linkButton(form, 'Back'), status)
}

export function problemNote(problem: string | undefined): Child {
  return (
    problem && (
      <p class="note warn" role="alert">
        {problem}
      </p>
    )
  )
}

/** 503 if the database is not available, or too much is drawn: nothing was changed. The page itself reads nothing. */
export function storeBusyPage({ message, headers }: Problem): Response {
  const page = loggedOutPage('Try again in a moment', [
    problemNote(message),
    <p class="muted">Nothing was changed. If it lasts, the log of the service says why.</p>,
    linkButton('/admin', 'Back to the overview'),
  ])
  return adminResponse(page, 503, headers)
}
