/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { choice } from '../../src/lib/fields.ts'
import { formatAgo, formatCount } from '../../src/lib/human-format.ts'
import type { Child } from '../../src/lib/jsx/markup.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'
import type { WebSource } from '../../src/store/web-sources.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import type { AdminDeps } from '../deps.ts'
import { keysOf, pill, postForm, rowMenu, submitButton } from '../parts/elements.tsx'
import { notFound, redirect } from '../parts/layout.tsx'
import type { AdminRequest } from '../session/guard.ts'
import labels from './filter-labels.json' with { type: 'json' }
import { defineList, emptyList } from './list.tsx'

const rowsMax = 100
const urlLengthMax = 60

/** `/admin/links`: the pages and documents of other sites that are asked for most, and how reading them goes. */
export const linksList = defineList({
  path: '/admin/links',
  section: 'links',
  query: Type.Object({
    show: choice(keysOf(labels.links), {
      default: 'all',
      description: 'Which pages, documents and pictures',
    }),
  }),
  read: async ({ store }, { show }) => ({ rows: await store.webSources.list(show, rowsMax) }),
  head: () => ({
    title: 'Links',
    lead: `Pages, documents and pictures of other sites that our pictures are made from, the ${rowsMax} that are asked for most.`,
  }),
  table: {
    title: 'Pages, documents and pictures',
    label: 'Pages, documents and pictures',
    tabs: { name: 'show', options: Object.entries(labels.links) },
    columns: ({ deps: { clock } }) => [
      { head: 'URL', class: 'main mono', title: ({ url }) => url, cell: ({ url }) => shortened(url) },
      { head: 'State', class: 'side', cell: stateOf },
      { head: 'Requests', class: 'right num', cell: ({ requests }) => formatCount(requests) },
      { head: 'Failures', class: 'right num', cell: ({ failures }) => formatCount(failures) },
      {
        head: 'Read',
        cell: ({ readAtMs }) => (readAtMs === null ? 'never' : formatAgo(readAtMs, clock.now())),
      },
      { head: 'Actions', class: 'tool', hidesHead: true, cell: menu },
    ],
    empty: () =>
      emptyList(
        'Nothing here',
        'A page, document or picture appears here once a card or badge of it was asked for.',
      ),
  },
})

function stateOf({ isBlocked, failedAtMs, facts, reason }: WebSource): Child {
  const told = reason !== null && <small>{reason.replaceAll('_', ' ')}</small>
  if (isBlocked !== 0) return [pill('Blocked', 'plain'), told]
  if (failedAtMs === null) return [pill('Read', 'ok'), told]
  return [facts === null ? pill('Failing', 'bad') : pill('Kept', 'warn'), told]
}

function shortened(url: string): string {
  return url.length > urlLengthMax ? `${url.slice(0, urlLengthMax)}…` : url
}

function menu({ digest, url, isBlocked }: WebSource): Child {
  const path = `/admin/links/${digest}`
  return rowMenu(digest, url, [
    <a href={url} rel="noreferrer nofollow">
      Open
    </a>,
    isBlocked === 0 && postForm(`${path}/refresh`, submitButton('Refresh')),
    isBlocked === 0
      ? postForm(`${path}/block`, submitButton('Block', 'danger'))
      : postForm(`${path}/allow`, submitButton('Allow')),
  ])
}

/** Actions on a page or document of another site. Each adds an audit entry and leads back to the list. */
export function createLinkActions({ store, cardPages, webPictures, documentList }: AdminDeps) {
  const keptBy = { page: cardPages, unread_page: cardPages, picture: webPictures } as const

  function acting(action: string, act: (source: WebSource) => Promise<unknown>) {
    return async (request: AdminRequest): Promise<Response> => {
      const source = await store.webSources.find(request.params['digest'] ?? '')
      if (source === undefined) throw notFound('links', 'There is no such page, document or picture.')
      await act(source)
      await retryWhileLocked(() => request.audit(action, source.url))
      return redirect('/admin/links')
    }
  }

  /** Holds here at once, and within a minute on other servers. */
  function blocking(isBlocked: boolean) {
    return async ({ digest, kind, url }: WebSource): Promise<void> => {
      await retryWhileLocked(() => store.webSources.setBlocked(digest, isBlocked))
      await (kind === 'document' ? documentList : keptBy[kind]).reload(url)
    }
  }

  /** A page or picture is read here for all servers, a document by each server for its next badge. */
  async function refresh({ digest, kind, url }: WebSource): Promise<void> {
    if (kind === 'document') {
      await retryWhileLocked(() => store.webSources.renew(digest))
      await documentList.reload(url)
      return
    }
    await keptBy[kind].renew(url).catch((error: unknown) => {
      // The list shows why a page cannot be read.
      if (!(error instanceof FetchFailure)) throw error
    })
  }

  return {
    refresh: acting('link.refresh', refresh),
    block: acting('link.block', blocking(true)),
    allow: acting('link.allow', blocking(false)),
  }
}
