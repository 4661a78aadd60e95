import { lastBackupName } from '../../src/store/backup.ts'
import type { KeyValueTable } from '../../src/store/key-values.ts'

/** Time and file of the last backup, whoever made it; undefined if there is none. */
export function lastBackup(
  keyValues: KeyValueTable,
): { readonly atMs: number; readonly path: string } | undefined {
  const entry = keyValues.get(lastBackupName)
  if (entry === undefined) return undefined
  const space = entry.indexOf(' ')
  return { atMs: Number(entry.slice(0, space)), path: entry.slice(space + 1) }
}
