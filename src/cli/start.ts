import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { signCommand } from '../client/sign-command.ts'
import { readConfig } from '../config.ts'
import { backUp } from '../store/backup.ts'
import { databasePath } from '../store/database-path.ts'
import { run } from './run.ts'
import type { Environment, Runtime } from './runtime.ts'

/** Does what the words of the command line ask for; without any, it serves until it is told to stop. */
export async function start(runtime: Runtime, words: readonly string[], env: Environment): Promise<void> {
  const [name = '', ...rest] = words
  if (name === '') return run(runtime, env)
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined)
      throw new Error(`There is no command ${name}; there are ${Object.keys(commands).join(', ')}.`)
    // Not `console.log`, which is silent where the output is full or closed: what was asked for did not come then.
    writeFileSync(1, `${await command(rest, env)}\n`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

/** What the program can do besides serving: `mintmark sign …`. Each returns what to print. */
const commands: Readonly<Record<string, (words: readonly string[], env: Environment) => Promise<string>>> = {
  backup,
  sign: (words, { MINTMARK_KEY: key, MINTMARK_SECRET: secret, MINTMARK_URL: base }) =>
    signCommand(words, { key, secret, base }),
}

/**
 * `backup [directory]`: writes a verified copy of the database, by default into `<DATA_DIR>/backups`, and returns its path.
 * The service may run meanwhile.
 */
async function backup(words: readonly string[], env: Environment): Promise<string> {
  const [directory, ...more] = words
  if (more.length > 0 || directory?.startsWith('-')) throw new Error('usage: backup [directory]')
  const config = readConfig(env, (path) => readFileSync(path, 'utf8'))
  return backUp(databasePath(config), directory ?? join(config.DATA_DIR, 'backups'), Date.now())
}
