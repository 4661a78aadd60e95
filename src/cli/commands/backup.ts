import { join } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { backUp, backupWithPostgres, restore } from '../../store/backup.ts'
import { databasePath } from '../../store/database-location.ts'
import { commandOf } from '../parameter-options.ts'
import { readText } from '../read-text.ts'
import type { CommandContext } from '../runtime.ts'
import texts from './backup.json' with { type: 'json' }

export function backupCommand({ env, print }: CommandContext): Command {
  return commandOf('backup', texts.backup).action((directory: string | undefined) => {
    const config = readConfig(env, readText)
    const path = databasePath(config, backupWithPostgres)
    print(backUp(path, directory ?? join(config.DATA_DIR, 'backups'), Date.now()))
  })
}

export function restoreCommand({ env, print }: CommandContext): Command {
  return commandOf('restore', texts.restore).action((copy: string) => {
    const config = readConfig(env, readText)
    const path = databasePath(config, backupWithPostgres)
    const replaced = restore(copy, path, Date.now())
    print(`${path} is restored.${replaced === undefined ? '' : ` What was there is ${replaced}.`}`)
  })
}
