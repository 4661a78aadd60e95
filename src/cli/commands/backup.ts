import { join } from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { backUp, backupWithPostgres, restore } from '../../store/backup.ts'
import { databasePath } from '../../store/database-location.ts'
import { readText } from '../read-text.ts'
import type { CommandContext } from '../runtime.ts'

export function backupCommand({ env, print }: CommandContext): Command {
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

export function restoreCommand({ env, print }: CommandContext): Command {
  return new Command('restore')
    .description('put a backup in the place of the database, while the service is stopped')
    .argument('<copy>', 'a file that backup wrote')
    .addHelpText(
      'after',
      '\nThe copy is checked first; the present database is kept beside it. It reads\nDATA_DIR and DATABASE_URL, as the service does. master.key is not in a copy: put\nit back too, where it is missing.',
    )
    .action((copy: string) => {
      const config = readConfig(env, readText)
      const path = databasePath(config, backupWithPostgres)
      const { replaced, leftBehind } = restore(copy, path, Date.now())
      print(`${path} is restored.${replaced === undefined ? '' : ` What was there is ${replaced}.`}`)
      if (leftBehind.length > 0)
        print(
          `Warning: left behind in ${copy}, because no release of Mintmark made it: ${leftBehind.join(', ')}.`,
        )
    })
}
