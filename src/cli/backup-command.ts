import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../config.ts'
import { backUp } from '../store/backup.ts'
import { databasePath } from '../store/database-path.ts'

/**
 * `backup [directory]`: writes a verified copy of the database, by default into `<DATA_DIR>/backups`, and returns its path.
 * The service may run meanwhile.
 */
export async function backupCommand(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [directory, ...more] = words
  if (more.length > 0 || directory?.startsWith('-')) throw new Error('usage: backup [directory]')
  const config = readConfig(env, (path) => readFileSync(path, 'utf8'))
  return backUp(databasePath(config), directory ?? join(config.DATA_DIR, 'backups'), Date.now())
}
