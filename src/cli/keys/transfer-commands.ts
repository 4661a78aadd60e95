import { Command } from 'commander'
import { csvLine } from '../../../admin/actions/csv-response.ts'
import { differenceOf } from '../../../admin/actions/key-import.ts'
import { keyColumns } from '../../../admin/data/key-columns.ts'
import { createHostReader } from '../../access/key-hosts.ts'
import type { KeyRow } from '../../store/keys.ts'
import type { Store } from '../../store/open.ts'
import { choiceOption } from '../parameter-options.ts'
import { InputError, mistakeAt } from '../rows/input-error.ts'
import { readRows } from '../rows/read-rows.ts'
import type { Environment } from '../runtime.ts'
import { type ImportedRow, readImportedKeys } from './imported-key.ts'
import { jsonOption } from './key-options.ts'
import { type OpenKeys, withKeys } from './open-keys.ts'

interface KeyCommandDeps {
  readonly env: Environment
  readonly print: (text: string) => void
}

/** `key export` and `key import`: all keys as a file, without their secrets. */
export function transferCommands({ env, print }: KeyCommandDeps): readonly Command[] {
  const exporting = new Command('export')
    .description('print every key, without secrets')
    .addOption(choiceOption('--format <format>', 'csv or jsonl; jsonl when missing', ['csv', 'jsonl']))
  exporting.action(() => {
    const { format = 'jsonl' } = exporting.opts<{ readonly format?: string }>()
    return withKeys(env, ({ store }) => printAll(store, format, print))
  })
  const importing = new Command('import')
    .description('change or make the keys of a file')
    .argument('<file>', 'CSV or JSON Lines, as export prints it; - is the standard input')
    .option('--dry-run', 'change nothing, and say what would be changed')
    .option(...jsonOption)
    .addHelpText('after', importHelp)
  importing.action(async (file: string) => {
    const options = importing.opts<ImportOptions>()
    const rows = await readRows(file)
    await withKeys(env, (keys) => importAll(keys, rows, options, print), options.dryRun !== true)
  })
  return [exporting, importing]
}

const importHelp = `
A key is known by its id. What a file has no column for stays as it is; an empty
cell takes away. A key that is missing is made with its id and a new secret, which
is printed this once; revoked ones are left out. Whether a key is revoked or
upgraded is not changed. Nothing is changed where a row is wrong, and a second run
changes nothing.`

interface ImportOptions {
  readonly dryRun?: boolean
  readonly json?: boolean
}

const rowsPerPage = 500

async function printAll({ keyList }: Store, format: string, print: (text: string) => void): Promise<void> {
  const names = keyColumns.map(([name]) => name)
  if (format === 'csv') print(csvLine(names))
  let rows: readonly KeyRow[] = await keyList.newest('any', rowsPerPage)
  while (rows.length > 0) {
    const lines = rows.map((key) => {
      const values = keyColumns.map(([, read]) => read(key))
      if (format === 'csv') return csvLine(values)
      return `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, values[index]])))}\n`
    })
    print(lines.join(''))
    rows = await keyList.newest('any', rowsPerPage, rows.at(-1)?.id)
  }
}

async function importAll(
  keys: OpenKeys,
  rows: Awaited<ReturnType<typeof readRows>>,
  { dryRun = false, json = false }: ImportOptions,
  print: (text: string) => void,
): Promise<void> {
  const readHosts = createHostReader(keys.config.FETCH_ALLOW_CIDRS)
  const imported = readImportedKeys(rows, { readHosts, brandFault: keys.brandFault })
  await refuseTakenSites(keys.store, imported)
  const counts = { created: 0, changed: 0, unchanged: 0, left_out: 0 }
  for (const { key, isRevoked } of imported) {
    const present = await keys.store.keys.find(key.id)
    const outcome = outcomeOf(present, { key, isRevoked })
    counts[outcome] += 1
    if (outcome === 'unchanged' || outcome === 'left_out') continue
    if (dryRun) {
      print(json ? JSON.stringify({ id: key.id, outcome }) : `${key.id}  ${outcome}`)
      continue
    }
    const { secret } = await keys.change((changes) => changes.import(key))
    print(
      json ? JSON.stringify({ id: key.id, outcome, secret }) : [key.id, outcome, secret].join('  ').trimEnd(),
    )
  }
  if (!json) print(summaryOf(counts, dryRun))
}

function outcomeOf(present: KeyRow | undefined, { key, isRevoked }: Omit<ImportedRow, 'row'>) {
  if (present === undefined) return isRevoked ? 'left_out' : 'created'
  return Object.keys(differenceOf(present, key)).length > 0 ? 'changed' : 'unchanged'
}

/** A site id belongs to one key. */
async function refuseTakenSites(store: Store, imported: readonly ImportedRow[]): Promise<void> {
  const mistakes: string[] = []
  for (const { row, key } of imported) {
    const owner = key.siteId === undefined ? undefined : await store.keys.findBySite(key.siteId)
    if (owner !== undefined && owner.id !== key.id)
      mistakes.push(mistakeAt(row, `site ${key.siteId} belongs to the key ${owner.id}`))
  }
  if (mistakes.length > 0) throw new InputError(mistakes)
}

function summaryOf(
  counts: Readonly<Record<'created' | 'changed' | 'unchanged' | 'left_out', number>>,
  isDry: boolean,
): string {
  const { created, changed, unchanged, left_out: leftOut } = counts
  const parts = [`${created} created`, `${changed} changed`, `${unchanged} unchanged`]
  if (leftOut > 0) parts.push(`${leftOut} revoked left out`)
  return `${parts.join(', ')}${isDry ? ' (dry run)' : ''}`
}
