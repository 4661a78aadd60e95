/** @jsxImportSource #jsx */
import type { Static } from '@sinclair/typebox'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { type AuditFilters, auditParameters, type auditQuery, auditReader } from '../data/audit-listing.ts'
import type { AdminDeps } from '../deps.ts'
import { auditTable } from '../parts/audit-table.tsx'
import { iconButton } from '../parts/buttons.tsx'
import { adminPage } from '../parts/layout.tsx'
import { emptyList, filter, listCard, listToolbar, pager } from '../parts/list.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const rowsPerPage = 50

/** `/admin/audit`: every change, newest first, by action, subject and time. */
export async function auditPage(
  deps: AdminDeps,
  { query }: AdminRequest<Static<typeof auditQuery>>,
): Promise<Markup> {
  const read = await auditReader(deps, query)
  const entries = await read(query.before, rowsPerPage)
  const last = entries.length === rowsPerPage ? entries.at(-1) : undefined
  const parameters = auditParameters(query)
  const { keyNames } = deps
  await keyNames.load(entries.map(({ subject }) => subject))
  return adminPage(
    deps,
    {
      title: 'Audit log',
      section: 'audit',
      lead: 'Every change that was made here. The database refuses to change or remove an entry.',
      actions: iconButton('download', `/admin/audit.csv?${parameters}`, 'Export CSV'),
    },
    listCard('Entries of the audit log', [
      await toolbar(deps, query),
      entries.length === 0 ? emptyState(parameters) : auditTable(entries, keyNames),
      pager({
        Newest: query.before === Number.MAX_SAFE_INTEGER ? undefined : `/admin/audit?${parameters}`,
        Older: last && `/admin/audit?${new URLSearchParams([...parameters, ['before', String(last.id)]])}`,
      }),
    ]),
  )
}

async function toolbar(
  { store }: AdminDeps,
  { action = '', q = '', from, to }: AuditFilters,
): Promise<Markup> {
  const actions = (await store.audit.actions()).map((entry) => entry.action)
  const offered = actions.includes(action) || action === '' ? actions : [action, ...actions]
  return listToolbar(
    '/admin/audit',
    { value: q, placeholder: 'Name or id of what was changed', label: 'Search by what was changed' },
    [
      filter({ name: 'action', label: 'Action', current: action }, [
        ['', 'Any action'],
        ...offered.map((name) => [name, name] as const),
      ]),
      dayField('from', 'From', from),
      dayField('to', 'To', to),
    ],
  )
}

function dayField(name: string, label: string, value = ''): Markup {
  return (
    <label class="day" title="A UTC day">
      {label}
      <input type="date" name={name} value={value} />
    </label>
  )
}

function emptyState(parameters: URLSearchParams): Markup {
  return parameters.size === 0
    ? emptyList('Nothing yet', <p>Each change that an operator makes is an entry.</p>)
    : emptyList(
        'No entry passes these filters',
        <p>
          <a href="/admin/audit">Show all entries</a>
        </p>,
      )
}
