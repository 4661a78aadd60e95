/** @jsxImportSource #jsx */
import { utcDay } from '../../src/lib/clock.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { fontPreloads } from '../../src/site/fonts/font-preloads.tsx'
import { brandMark, type IconName, icon } from '../../src/site/parts/icons.tsx'
import { adminAssets } from '../assets.ts'
import type { AdminDeps } from '../deps.ts'
import { postForm, submitButton } from './buttons.tsx'

const sections = [
  { id: 'overview', href: '/admin', label: 'Overview' },
  { id: 'keys', href: '/admin/keys', label: 'Keys' },
  { id: 'brands', href: '/admin/brands', label: 'Brands' },
  { id: 'usage', href: '/admin/usage', label: 'Usage' },
  { id: 'shares', href: '/admin/shares', label: 'Shares' },
  { id: 'links', href: '/admin/links', label: 'Links' },
  { id: 'payments', href: '/admin/payments', label: 'Payments' },
  { id: 'traffic', href: '/admin/traffic', label: 'Traffic' },
  { id: 'audit', href: '/admin/audit', label: 'Audit log' },
  { id: 'settings', href: '/admin/settings', label: 'Settings' },
] as const satisfies readonly { id: IconName; href: string; label: string }[]

export type Section = (typeof sections)[number]['id']

export interface AdminPage {
  readonly title: string
  readonly section: Section
  /** One word right of the heading. */
  readonly note?: Child
  /** Buttons beside the heading. */
  readonly actions?: Child
  /** A line below the heading. */
  readonly lead?: Child
  /** Browsers without scripts reload the page after so many seconds. */
  readonly refreshSeconds?: number
}

/** The layout of every page behind the login. */
export async function adminPage(deps: AdminDeps, page: AdminPage, children: Child): Promise<Markup> {
  return documentOf(page.title, page.refreshSeconds, [
    <a class="skip" href="#main">
      Skip to content
    </a>,
    sidebar(page.section, await countsOf(deps)),
    <main id="main" tabindex="-1">
      <div class="head">
        <h1 dir="auto">{page.title}</h1>
        {page.note}
        {page.actions !== undefined && <div class="end">{page.actions}</div>}
        {page.lead !== undefined && <p class="muted small">{page.lead}</p>}
      </div>
      {children}
    </main>,
  ])
}

/** The layout of pages without a session: one card in the middle. */
export function loggedOutPage(title: string, children: Child): Markup {
  return documentOf(title, undefined, [
    <main id="main" class="door">
      <div class="brand">{brandMark()}Mintmark</div>
      <section class="card panel">
        <h1>{title}</h1>
        {children}
      </section>
    </main>,
  ])
}

function documentOf(title: string, refreshSeconds: number | undefined, children: Child): Markup {
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
        <script type="module" src={adminAssets.path('admin.js')} />
      </head>
      <body>{children}</body>
    </html>
  )
}

type Counts = Partial<Record<Section, number>>

/** All keys, and today's payments. */
async function countsOf({ store, clock }: AdminDeps): Promise<Counts> {
  const today = utcDay(clock.now())
  return {
    keys: await store.keys.issued(),
    payments: (await store.paymentList.days(today, today))[0]?.count ?? 0,
  }
}

function sidebar(current: Section, counts: Counts): Markup {
  return (
    <header class="rail">
      <div>
        <a class="brand" href="/admin">
          {brandMark()}
          <span>Mintmark</span>
        </a>
        <nav aria-label="Admin">
          {sections.map(({ id, href, label }) => (
            <a href={href} aria-current={id === current ? 'page' : undefined}>
              {icon(id)}
              {label}
              {counts[id] ? <span class="count">{formatCount(counts[id])}</span> : undefined}
            </a>
          ))}
        </nav>
        <div class="foot">
          <span>operator</span>
          {postForm('/admin/logout', submitButton([icon('leave'), 'Log out'], 'btn ghost'))}
        </div>
      </div>
    </header>
  )
}
