/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { choice } from '../../src/lib/fields.ts'
import { formatAgo, formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import type { WebSource } from '../../src/store/web-sources.ts'
import type { AdminDeps } from '../deps.ts'
import { postForm, segments, submitButton } from '../parts/buttons.tsx'
import { panel } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { emptyList } from '../parts/list.tsx'
import { pill } from '../parts/pill.tsx'
import { type Column, scrollTable, tableRow } from '../parts/table.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const views = ['all', 'failing', 'blocked'] as const
const labels = { all: 'All', failing: 'Failing', blocked: 'Blocked' } as const
const rowsMax = 100
const addressCharsMax = 60

export const linksQuery = Type.Object({
  show: choice(views, { default: 'all', description: 'Which pages and documents' }),
})

/** `/admin/links`: the pages and documents of other sites that are asked for most, and how reading them goes. */
export async function linksPage(
  deps: AdminDeps,
  { query: { show } }: AdminRequest<Static<typeof linksQuery>>,
): Promise<Markup> {
  const sources = await deps.store.webSources.list(show, rowsMax)
  const columns = columnsAt(deps.clock.now())
  return adminPage(
    deps,
    {
      title: 'Links',
      section: 'links',
      lead: `Pages and documents of other sites that pictures are made from, the ${rowsMax} that are asked for most.`,
    },
    panel(
      'Pages and documents',
      sources.length === 0
        ? emptyList(
            'Nothing here',
            <p>A page or document appears here once a card or badge of it was asked for.</p>,
          )
        : scrollTable({
            label: 'Pages and documents',
            class: 'log stack',
            columns,
            rows: sources.map((source) => tableRow(columns, source)),
          }),
      segments(
        'Show',
        views.map((view) => ({
          href: `/admin/links?show=${view}`,
          label: labels[view],
          isCurrent: view === show,
        })),
      ),
    ),
  )
}

function columnsAt(nowMs: number): readonly Column<WebSource>[] {
  return [
    { head: 'Address', class: 'c-main mono', title: ({ url }) => url, cell: ({ url }) => shortened(url) },
    { head: 'State', class: 'c-side', cell: (source) => [stateOf(source), reasonOf(source)] },
    { head: 'Requests', class: 'right num', cell: ({ requests }) => formatCount(requests) },
    { head: 'Failures', class: 'right num', cell: ({ failures }) => formatCount(failures) },
    { head: 'Read', cell: ({ readAtMs }) => (readAtMs === null ? 'never' : formatAgo(readAtMs, nowMs)) },
    { head: 'Actions', class: 'c-act', hidesHead: true, cell: menu },
  ]
}

function stateOf({ isBlocked, failedAtMs, facts }: WebSource): Markup {
  if (isBlocked !== 0) return pill('Blocked', 'plain')
  if (failedAtMs === null) return pill('Read', 'ok')
  return facts === null ? pill('Failing', 'bad') : pill('Kept', 'warn')
}

function reasonOf({ reason }: WebSource): Child {
  return reason !== null && <div class="muted small">{reason.replaceAll('_', ' ')}</div>
}

function shortened(url: string): string {
  return url.length > addressCharsMax ? `${url.slice(0, addressCharsMax)}…` : url
}

/** The actions on a source, as a popover: it needs no script. */
function menu({ digest, url, isBlocked }: WebSource): Child {
  const path = `/admin/links/${digest}`
  return [
    <button
      class="btn ghost icon"
      type="button"
      popovertarget={`menu-${digest}`}
      aria-label={`Actions for ${url}`}
    >
      {icon('more')}
    </button>,
    <div class="menu" popover id={`menu-${digest}`}>
      <a href={url} rel="noreferrer nofollow">
        Open
      </a>
      {isBlocked === 0 && postForm(`${path}/refresh`, submitButton('Refresh'))}
      {isBlocked === 0
        ? postForm(`${path}/block`, submitButton('Block', 'danger'))
        : postForm(`${path}/allow`, submitButton('Allow'))}
    </div>,
  ]
}
