/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { isKeyId } from '../../src/access/keys.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { descriptionList } from '../../src/site/parts/elements.tsx'
import type { KeyNames } from '../deps.ts'
import { type Column, keyLink, keysOf, pill, type Tone } from '../parts/elements.tsx'
import { isOwnPicture, type RecentRequest } from '../recent-requests.ts'
import labels from './filter-labels.json' with { type: 'json' }
import { defineList, emptyList, hrefOf } from './list.tsx'
import { networkLabel } from './shares.tsx'
import { credentialOf, endpointName, outcomeOf, outcomes, type RequestOutcome } from './usage.tsx'

const refreshSeconds = 5
const rowsPerPage = 25
const keysOffered = 100
const shownPathMax = 100

const views = {
  requests: { label: 'Requests', includes: (request: RecentRequest) => !isOwnPicture(request) },
  errors: { label: 'Not served', includes: ({ status }: RecentRequest) => status >= 400 },
  all: { label: 'All', includes: () => true },
} as const

const query = Type.Object({
  show: choice(keysOf(views), { default: 'requests', description: 'Which requests' }),
  q: Type.Optional(text(0, 200, { description: 'A part of the path, or the id of a request' })),
  asset: Type.Optional(text(0, 40, { description: 'The id of an asset' })),
  status: choice(['any', ...outcomes], { default: 'any', description: 'Only this outcome' }),
  key: Type.Optional(text(0, 64, { description: 'The id of a key' })),
  since: choice(keysOf(labels.trafficSince), { default: 'any', description: 'For how many minutes back' }),
  after: Type.Optional(text(0, 100, { description: 'The id of the request before the first of the page' })),
})

/** `/admin/traffic`: the last requests of this process, page by page. The first page loads new ones every few seconds. */
export const trafficList = defineList({
  path: '/admin/traffic',
  section: 'traffic',
  query,
  cursor: 'after',
  async read({ recent, keyNames, clock }, given) {
    const all = recent.list()
    const list = all.filter((request) => isInView(given, request, clock.now()))
    const start = list.findIndex(({ id }) => id === given.after) + 1
    const rows = list.slice(start, start + rowsPerPage)
    const keyIds = [...new Set(all.map(({ keyId }) => keyId))].filter(Boolean).slice(0, keysOffered)
    await keyNames.load([...keyIds, ...rows.map(({ keyId }) => keyId)])
    const next = start + rowsPerPage < list.length ? rows.at(-1)?.id : undefined
    return { rows, next, isFirst: start === 0, keyIds }
  },
  head: ({ found: { isFirst } }) => ({
    title: 'Traffic',
    lead: 'The last 1,000 requests of this process, without those of the operator’s area. Queries are not shown: they may hold signatures.',
    ...(isFirst && { refreshSeconds, note: pill(`Reloads every ${refreshSeconds} s`, 'plain') }),
  }),
  table: {
    title: 'Last requests',
    label: 'Requests',
    tabs: { name: 'show', options: Object.entries(views).map(([name, { label }]) => [name, label] as const) },
    search: { placeholder: 'Path or request id', label: 'Search requests by path or id' },
    filters: ({ deps: { assets, keyNames }, query: { key = '' }, found: { keyIds } }) => [
      {
        name: 'asset',
        label: 'Asset',
        options: [['', 'Any asset'], ...assets.map(({ asset: { id, title } }) => [id, title] as const)],
      },
      {
        name: 'status',
        label: 'Outcome',
        options: [['any', 'Any outcome'], ...outcomes.map((outcome) => [outcome, outcome] as const)],
      },
      {
        name: 'key',
        label: 'Key',
        options: [
          ['', 'Any key'],
          ...[...new Set([key, ...keyIds])].filter(Boolean).map((id) => [id, keyNames.nameOf(id)] as const),
        ],
      },
      { name: 'since', label: 'Time', options: Object.entries(labels.trafficSince) },
    ],
    columns: ({ deps }) => columnsWith(deps.keyNames),
    empty: ({ query: { show, after: _, ...filters } }) =>
      hrefOf('', query, filters) === ''
        ? emptyList(
            show === 'errors' ? 'No request was refused' : 'No requests yet',
            'Open the playground or call the API, and they appear here.',
          )
        : emptyList('No request passes these filters', <a href="/admin/traffic">Show all</a>),
  },
})

function isInView(given: Static<typeof query>, request: RecentRequest, nowMs: number): boolean {
  const { show, q = '', asset, status, key, since } = given
  const search = q.trim().toLowerCase()
  return (
    views[show].includes(request) &&
    (search === '' || request.path.toLowerCase().includes(search) || request.id === search) &&
    (!asset || request.asset === asset) &&
    (status === 'any' || outcomeOf(request) === status) &&
    (!key || request.keyId === key) &&
    (since === 'any' || nowMs - request.atMs <= Number(since) * 60_000)
  )
}

const tones: Readonly<Record<RequestOutcome, Tone>> = {
  Served: 'ok',
  Unpaid: 'plain',
  Refused: 'plain',
  Failed: 'bad',
}

function columnsWith(names: KeyNames): readonly Column<RecentRequest>[] {
  return [
    { head: 'Time, UTC', class: 'muted', cell: ({ atMs }) => formatTime(atMs).slice(11) },
    { head: 'Request', class: 'main', cell: (request) => details(request, names) },
    {
      head: 'Status',
      class: 'side',
      cell: ({ status }) => pill(`${status} ${outcomeOf({ status })}`, tones[outcomeOf({ status })]),
    },
    {
      head: 'Key',
      cell: ({ keyId, auth }) =>
        keyId !== '' ? linkOf(keyId, names) : auth === '' ? '' : credentialOf({ auth }),
    },
    { head: 'ms', class: 'right num', cell: ({ durationMs }) => durationMs.toFixed(1) },
  ]
}

function details(request: RecentRequest, names: KeyNames): Markup {
  const { id, method, path, atMs, asset, auth, keyId, durationMs, agent } = request
  return (
    <details class="row">
      <summary class="mono">{`${method} ${path.slice(0, shownPathMax)}`}</summary>
      {descriptionList(
        [
          ['Request id', <code>{id}</code>],
          ['Time', `${formatTime(atMs)} UTC`],
          ['Path', <code>{path}</code>],
          ['Asset', endpointName({ endpoint: asset }) || 'None'],
          ['Granted by', auth === '' ? 'Nothing needed, or nothing granted' : credentialOf({ auth })],
          ['Key', keyId === '' ? 'None' : linkOf(keyId, names)],
          ['Duration', `${durationMs.toFixed(2)} ms`],
          ['Program', agent === '' ? 'Not named' : networkLabel(agent)],
        ],
        'facts small',
      )}
    </details>
  )
}

/** A refused request may name a key that does not exist. */
function linkOf(keyId: string, names: KeyNames): Child {
  return isKeyId(keyId) ? keyLink(keyId, names.nameOf(keyId)) : <code>{keyId}</code>
}
