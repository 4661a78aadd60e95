import type { Asset } from '../../assets/kit/asset.ts'
import { Problem } from '../../errors.ts'
import type { ParsedRequest } from '../../http/request-context.ts'
import type { createRequestParser } from '../../http/request-parser.ts'
import { canonicalQuery, type QueryPair } from '../../lib/canonical-query.ts'
import { closestWord } from '../../lib/edit-distance.ts'
import { InputError, mistakeAt, parameterMistake, type Row, type RowValue } from './read-rows.ts'

/** A row, and the call that it describes. */
export interface RowRequest {
  readonly row: Row
  readonly asset: Asset
  readonly parameters: readonly QueryPair[]
  readonly parsed: ParsedRequest
}

interface RowReaderDeps {
  /** The assets that a row may ask for. */
  readonly assets: readonly Asset[]
  readonly parser: Pick<ReturnType<typeof createRequestParser>, 'read'>
  /** Parameters for rows that do not have them, `kind` among them. */
  readonly defaults: ReadonlyMap<string, RowValue>
  /** Columns that have a use of their own. */
  readonly ownColumns: ReadonlySet<string>
}

/** The column, or option, that says which asset a row is. */
export const kindColumn = 'kind'

/**
 * Reads every row as the server would read its call. Throws an `InputError` that names every wrong parameter of every row,
 * and columns that are nearly the name of a parameter.
 */
export async function readRowRequests(
  rows: readonly Row[],
  deps: RowReaderDeps,
): Promise<readonly RowRequest[]> {
  const mistakes: string[] = []
  const requests: RowRequest[] = []
  for (const row of rows) {
    try {
      requests.push(await readRow(row, deps))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      mistakes.push(...error.errors.map((each) => parameterMistake(row, each)))
    }
  }
  const misspelt = misspeltColumns(rows, deps)
  if (mistakes.length + misspelt.length > 0) throw new InputError([...misspelt, ...mistakes])
  return requests
}

async function readRow(row: Row, { assets, parser, defaults }: RowReaderDeps): Promise<RowRequest> {
  const asset = assetOf(row.fields.get(kindColumn) ?? defaults.get(kindColumn) ?? 'og', assets)
  const known = parameterNames(asset)
  const given = new Map([...defaults, ...row.fields])
  const parameters = [...given].flatMap(([name, value]) =>
    known.has(name) ? [value].flat().map((one): QueryPair => [name, one]) : [],
  )
  const call = { path: asset.path, rawQuery: canonicalQuery(parameters), logFields: {} }
  const check = parser.read(call).resolved?.recheck()
  await check
  return { row, asset, parameters, parsed: parser.read(call) }
}

function assetOf(kind: RowValue, assets: readonly Asset[]): Asset {
  const asset = assets.find(({ id }) => id === kind)
  if (asset !== undefined) return asset
  const allowed = assets.map(({ id }) => id)
  const message = `must be one of ${allowed.join(', ')}`
  throw new Problem('invalid_query', message, { errors: [{ parameter: kindColumn, message, allowed }] })
}

/** Every name of every parameter, older ones too. */
export function parameterNames({ query }: Asset): ReadonlySet<string> {
  return new Set(Object.entries(query.properties).flatMap(([name, { aliases = [] }]) => [name, ...aliases]))
}

/** A row may have columns for its owner's own use; one that is nearly a parameter is a mistake. */
function misspeltColumns(rows: readonly Row[], { assets, ownColumns }: RowReaderDeps): readonly string[] {
  const known = [kindColumn, ...new Set(assets.flatMap((asset) => [...parameterNames(asset)]))]
  const firstRows = new Map<string, Row>()
  for (const row of rows)
    for (const name of row.fields.keys()) if (!firstRows.has(name)) firstRows.set(name, row)
  return [...firstRows].flatMap(([name, row]) => {
    const meant = ownColumns.has(name) ? undefined : closestWord(name, known)
    return meant === undefined ? [] : [mistakeAt(row, `${name} is no parameter; did you mean ${meant}?`)]
  })
}
