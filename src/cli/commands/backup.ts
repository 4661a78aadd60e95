import { join } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { backUp, backupWithPostgres } from '../../store/backup.ts'
import { databasePath } from '../../store/database-location.ts'
import { readText } from '../read-text.ts'
import type { Environment } from '../runtime.ts'

/** `backup [directory]`: writes a verified copy of the database and prints its path. The service may keep running. */
export function backupCommand(env: Environment, print: (text: string) => void): Command {
  return new Command('backup')
    .description('write a verified copy of the database while the service runs, and print its path')
    .argument('[directory]', 'where to; <DATA_DIR>/backups when missing')
    .addHelpText(
      'after',
      '\nIt reads DATA_DIR and DATABASE_URL, as the service does. Keep master.key\nas well.',
    )
    .action((directory: string | undefined) => {
      const config = readConfig(env, readText)
      print(
        backUp(
          databasePath(config, backupWithPostgres),
          directory ?? join(config.DATA_DIR, 'backups'),
          Date.now(),
        ),
      )
    })
}
