import { type Static, Type } from '@sinclair/typebox'
import { unescapedCell } from '../../../admin/actions/csv-response.ts'
import type { ImportedKey } from '../../../admin/actions/key-import.ts'
import { keyColumns } from '../../../admin/data/key-columns.ts'
import { newKeyForm, notesLengthMax } from '../../../admin/data/key-limits.ts'
import { decodeForm } from '../../../admin/session/form-fields.ts'
import { readKeyAssets } from '../../access/key-assets.ts'
import type { HostReader } from '../../access/key-hosts.ts'
import { lookNames } from '../../access/key-look.ts'
import { isKeyId, isSiteId } from '../../access/keys.ts'
import { closestWord } from '../../lib/edit-distance.ts'
import { InputError, mistakeAt } from '../rows/input-error.ts'
import type { Row } from '../rows/row.ts'

interface ImportRules {
  readonly readHosts: HostReader
  /** Returns why cards cannot have this brand, going on after its name. */
  readonly brandFault: (reference: string) => string | undefined
}

/** A row of an import. A revoked key is not made anew. */
export interface ImportedRow {
  readonly row: Row
  readonly key: ImportedKey
  readonly isRevoked: boolean
}

const { quota: _quota, expires: _expires, ...formFields } = newKeyForm.properties
const form = Type.Object({ ...formFields, daily_quota: newKeyForm.properties.quota })

/** Columns that an import knows; `used_today` is in the operator's CSV. */
const columnNames = [...keyColumns.map(([name]) => name), 'used_today']

/** Reads rows by the rules of the operator's forms. Throws an `InputError` that names every mistake. */
export function readImportedKeys(rows: readonly Row[], rules: ImportRules): readonly ImportedRow[] {
  const mistakes: string[] = misspeltColumns(rows)
  const keys: ImportedRow[] = []
  const lines = new Map<string, number>()
  for (const row of rows) {
    const cells = cellsOf(row)
    const key = readKey(cells, rules)
    const id = cells.get('id') ?? ''
    const earlier = lines.get(id)
    if (typeof key === 'string') mistakes.push(mistakeAt(row, key))
    else if (earlier !== undefined) mistakes.push(mistakeAt(row, `${id} is in line ${earlier} already`))
    else keys.push({ row, key, isRevoked: (cells.get('revoked') ?? '') !== '' })
    lines.set(id, row.line)
  }
  if (mistakes.length > 0) throw new InputError(mistakes)
  return keys
}

/** The text of each column of a row, empty ones included. */
function cellsOf({ fields, emptyColumns, isCsv }: Row): ReadonlyMap<string, string> {
  const given = [...fields].map(([name, value]) => {
    const text = typeof value === 'string' ? value : value.join(',')
    return [name, isCsv ? unescapedCell(text) : text] as const
  })
  return new Map([...emptyColumns.map((name) => [name, ''] as const), ...given])
}

/** Returns the key, or the first mistake. */
function readKey(cells: ReadonlyMap<string, string>, rules: ImportRules): ImportedKey | string {
  const id = cells.get('id') ?? ''
  if (!isKeyId(id))
    return `id ${id === '' ? 'is missing' : 'is not the id of a key'}: it is mk_ and 16 letters and digits`
  const { value, mistake } = decodeForm(form, new URLSearchParams([...cells]))
  if (mistake !== undefined) return mistake
  const hosts = rules.readHosts(value.hosts)
  if ('mistake' in hosts) return `The list of hosts ${hosts.mistake}.`
  const assets = readKeyAssets(value.assets.join())
  if ('mistake' in assets) return `The list of assets ${assets.mistake}.`
  const brandFault = value.brand === undefined ? undefined : rules.brandFault(value.brand)
  if (brandFault !== undefined) return `The brand ${brandFault}.`
  const notes = value.notes.replaceAll('\r\n', '\n')
  if (notes.length > notesLengthMax) return `Notes have at most ${notesLengthMax} characters.`
  const expiresAtMs = timeOf(cells.get('expires') ?? '')
  if (Number.isNaN(expiresAtMs)) return 'expires is no time such as 2027-01-31T12:00:00Z.'
  const siteId = cells.get('site') || undefined
  if (siteId !== undefined && !isSiteId(siteId)) return 'site is not a site id.'
  const secretVersion = Number(cells.get('secret_version') || 0)
  if (!Number.isSafeInteger(secretVersion) || secretVersion < 0)
    return 'secret_version is not a whole number.'
  const has = <Value>(column: string, read: Value) => (cells.has(column) ? read : undefined)
  return {
    id,
    name: has('name', value.name),
    dailyQuota: has('daily_quota', value.daily_quota ?? null),
    expiresAtMs: has('expires', expiresAtMs),
    hosts: has('hosts', hosts.hosts),
    siteId,
    assets: has('assets', assets.assets),
    notes: has('notes', notes),
    look: lookOf(value, cells),
    secretVersion,
  }
}

function lookOf(value: Static<typeof form>, cells: ReadonlyMap<string, string>) {
  return Object.fromEntries(lookNames.filter((name) => cells.has(name)).map((name) => [name, value[name]]))
}

/** Milliseconds of an ISO time; null where there is none, NaN for anything else. */
function timeOf(text: string): number | null {
  if (text === '') return null
  return /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/.test(text) ? Date.parse(text) : Number.NaN
}

function misspeltColumns(rows: readonly Row[]): string[] {
  const first = new Map<string, Row>()
  for (const row of rows)
    for (const name of [...row.fields.keys(), ...row.emptyColumns]) if (!first.has(name)) first.set(name, row)
  return [...first].flatMap(([name, row]) => {
    if (columnNames.includes(name)) return []
    const meant = closestWord(name, columnNames)
    const hint = meant === undefined ? `the columns are ${columnNames.join(', ')}` : `did you mean ${meant}?`
    return [mistakeAt(row, `there is no column ${name}; ${hint}`)]
  })
}
