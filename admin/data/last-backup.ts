import { lastBackupName } from '../../src/store/backup.ts'
import type { KeyValueTable } from '../../src/store/key-values.ts'

/** When and where the database was last backed up, by whatever way. */
export function lastBackup(
  keyValues: KeyValueTable,
): { readonly atMs: number; readonly path: string } | undefined {
  const fact = keyValues.get(lastBackupName)
  if (fact === undefined) return undefined
  const space = fact.indexOf(' ')
  return { atMs: Number(fact.slice(0, space)), path: fact.slice(space + 1) }
}
