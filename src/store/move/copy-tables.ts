import type { MoveSide, MoveTarget } from './move-side.ts'
import { bytesAtOnce } from './move-statements.ts'
import type { MovedRow, MovedTable, RowKey, RowRange } from './moved-table.ts'

interface CopyDeps {
  readonly source: MoveSide
  readonly target: MoveTarget
  /** Called with the number of rows that are in both databases now, after each batch. */
  readonly onRows: (rows: number) => void
}

/**
 * Makes a table of the target equal to that of the source, and returns the ranges of rows that it wrote. Ranges that are
 * equal already are only compared, so a move that was interrupted, or that follows an earlier copy, has little to write.
 */
export async function copyTable(
  table: MovedTable,
  { source, target, onRows }: CopyDeps,
): Promise<readonly RowRange[]> {
  const isEmpty = await target.isEmpty(table)
  const written: RowRange[] = []

  async function copy(range: RowRange): Promise<void> {
    const rows = await source.rows(table, range)
    await target.insert(table, rows)
    onRows(rows.length)
  }

  for await (const range of rangesOf(table, source)) {
    const equalRows = isEmpty ? undefined : await countIfEqual(table, range, source, target)
    if (isEmpty) await copy(range)
    if (equalRows === undefined) written.push(range)
    else onRows(equalRows)
  }
  if (isEmpty) return written
  // All of them before the first insert: a row may have taken over what was unique to a row of another range.
  for (const range of written) await target.remove(table, range)
  for (const range of written) await copy(range)
  return written
}

/** How many rows a range has if they are the same in both databases, else undefined. Both work at the same time. */
export async function countIfEqual(
  table: MovedTable,
  range: RowRange,
  source: MoveSide,
  target: MoveSide,
): Promise<number | undefined> {
  const [theirs, ours] = await Promise.all([target.digest(table, range), source.digest(table, range)])
  return theirs.sha256 === ours.sha256 ? ours.rows : undefined
}

/** Cuts all keys that there can be into ranges whose rows fit into memory. Nothing may come after the last one. */
async function* rangesOf(table: MovedTable, source: MoveSide): AsyncGenerator<RowRange> {
  let after: RowKey | undefined
  for (;;) {
    const last = lastWithin(await source.nextKeys(table, { after }))
    const upTo = last && table.key.map(({ name }) => last[name] ?? null)
    yield { after, upTo }
    if (upTo === undefined) return
    after = upTo
  }
}

/** The last of the rows whose files fit into a batch together; at least one. */
function lastWithin(keys: readonly MovedRow[]): MovedRow | undefined {
  let bytes = 0
  for (const key of keys) {
    bytes += Number(key['bytes'])
    if (bytes > bytesAtOnce) return key
  }
  return keys.at(-1)
}
