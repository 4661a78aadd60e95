/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { isKeyId } from '../../src/access/keys.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { integer, text } from '../../src/lib/fields.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry, AuditFilter } from '../../src/store/operator.ts'
import type { AdminDeps, KeyNames } from '../deps.ts'
import { type Column, dataTable, keyLink } from '../parts/elements.tsx'
import actionNames from './action-names.json' with { type: 'json' }
import { type CsvColumns, csvFile, isoTimeOf } from './csv.ts'
import { searchLengthMin } from './keys.tsx'
import { defineList, emptyList, hrefOf } from './list.tsx'

const rowsPerPage = 50
const keysMax = 20

const filters = Type.Object({
  action: Type.Optional(text(0, 60, { description: 'Only this action' })),
  q: Type.Optional(text(0, 200, { description: 'The subject: an id, or a part of the name of a key' })),
  from: Type.Optional(text(0, 10, { description: 'The first UTC day, such as 2026-11-26' })),
  to: Type.Optional(text(0, 10, { description: 'The last UTC day' })),
})

const query = Type.Object({
  ...filters.properties,
  before: integer(1, Number.MAX_SAFE_INTEGER, {
    default: Number.MAX_SAFE_INTEGER,
    description: 'Only entries with a smaller number',
  }),
})

/** `/admin/audit`: every change, newest first, by action, subject and time. */
export const auditList = defineList({
  path: '/admin/audit',
  section: 'audit',
  query,
  cursor: 'before',
  async read(deps, given) {
    const read = await auditReader(deps, given)
    const rows = await read(given.before, rowsPerPage)
    await deps.keyNames.load(rows.map(({ subject }) => subject))
    return { rows, next: rows.length === rowsPerPage ? rows.at(-1)?.id : undefined }
  },
  head: () => ({
    title: 'Audit log',
    lead: 'Every change that was made here. The database refuses to change or remove an entry.',
  }),
  table: {
    title: 'Entries of the audit log',
    label: 'Audit log',
    search: { placeholder: 'Name or id of what was changed', label: 'Search by what was changed' },
    filters: async ({ deps }) => [
      {
        name: 'action',
        label: 'Action',
        options: [
          ['', 'Any action'],
          ...(await deps.store.audit.actions()).map(({ action: one }) => [one, actionName(one)] as const),
        ],
      },
      { name: 'from', label: 'From' },
      { name: 'to', label: 'To' },
    ],
    columns: ({ deps }) => [time, action, subjectColumn(deps.keyNames), ...others],
    empty: ({ query: given }) =>
      hrefOf('', filters, given) === ''
        ? emptyList('Nothing yet', 'Each change that an operator makes is an entry.')
        : emptyList('No entry passes these filters', <a href="/admin/audit">Show all entries</a>),
  },
  csv: {
    query: filters,
    async file(deps, given) {
      const read = await auditReader(deps, given)
      return csvFile(exported(deps.keyNames), async (limit, last) => {
        const entries = await read(last?.id ?? Number.MAX_SAFE_INTEGER, limit)
        await deps.keyNames.load(entries.map(({ subject }) => subject))
        return entries
      })
    },
  },
})

export function auditTable(rows: readonly AuditEntry[]): Markup {
  if (rows.length === 0) return <p class="muted small">Nothing yet.</p>
  return dataTable({ label: 'Audit log', columns: [time, action, ...others], rows })
}

const time: Column<AuditEntry> = {
  head: 'Time, UTC',
  class: 'side muted',
  cell: ({ atMs }) => formatTime(atMs),
}
const action: Column<AuditEntry> = {
  head: 'Action',
  class: 'main',
  cell: (entry) => <span title={entry.action}>{actionName(entry.action)}</span>,
}
const others: readonly Column<AuditEntry>[] = [
  { head: 'Detail', cell: ({ detail }) => detail },
  { head: 'Session', class: 'wide mono', cell: ({ actor }) => actor },
  { head: 'Address', class: 'mono', cell: ({ address }) => address },
]

function actionName(name: string): string {
  return (actionNames as Readonly<Record<string, string>>)[name] ?? name
}

function subjectColumn(names: KeyNames): Column<AuditEntry> {
  function link({ action: name, subject }: AuditEntry): Child {
    if (isKeyId(subject)) {
      const keyName = names.nameOf(subject)
      return [keyLink(subject, keyName), keyName !== subject && <small class="mono">{subject}</small>]
    }
    if (name.startsWith('brand.')) return <a href={`/admin/brands/${subject}`}>{subject}</a>
    if (name === 'payment.recheck') return <a href={`/admin/payments/${subject}`}>{subject}</a>
    return subject
  }
  return { head: 'On', cell: link }
}

function exported({ nameOf }: KeyNames): CsvColumns<AuditEntry> {
  return [
    ['time', ({ atMs }) => isoTimeOf(atMs)],
    ['action', (entry) => entry.action],
    ['subject', ({ subject }) => subject],
    ['name', ({ subject }) => (isKeyId(subject) ? nameOf(subject) : '')],
    ['detail', ({ detail }) => detail],
    ['session', ({ actor }) => actor],
    ['address', ({ address }) => address],
  ]
}

async function auditReader({ store }: AdminDeps, given: Static<typeof filters>) {
  const { action: name, from = '', to = '', q = '' } = given
  const firstMs = Date.parse(from)
  const lastMs = Date.parse(to)
  const filter: AuditFilter = {
    action: name || undefined,
    fromMs: Number.isNaN(firstMs) ? undefined : firstMs,
    toMs: Number.isNaN(lastMs) ? undefined : lastMs + dayMs - 1,
  }
  const search = q.trim()
  const found = search.length < searchLengthMin ? [] : await store.keyList.search(search, keysMax)
  const subjects = search === '' ? [undefined] : [...new Set([search, ...found.map(({ id }) => id)])]

  return async (beforeId: number, limit: number): Promise<readonly AuditEntry[]> => {
    const pages = await Promise.all(
      subjects.map((subject) => store.audit.page(beforeId, limit, { ...filter, subject })),
    )
    return pages
      .flat()
      .toSorted((one, other) => other.id - one.id)
      .slice(0, limit)
  }
}
