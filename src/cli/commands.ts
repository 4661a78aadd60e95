import { signCommand } from '../client/sign-command.ts'
import { backupCommand } from './backup-command.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the program can do besides serving: `mintmark sign …`. Each answers what to print. */
const commands: Readonly<Record<string, (words: readonly string[], env: Environment) => Promise<string>>> = {
  backup: backupCommand,
  sign: (words, { MINTMARK_KEY: key, MINTMARK_SECRET: secret, MINTMARK_URL: base }) =>
    signCommand(words, { key, secret, base }),
}

/** Runs the command that the first word names; undefined when there is none, which means to serve. */
export function runCommand(words: readonly string[], env: Environment): Promise<string> | undefined {
  const [name = '', ...rest] = words
  if (name === '') return undefined
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    return Promise.reject(
      new Error(`There is no command ${name}; there are ${Object.keys(commands).join(', ')}.`),
    )
  return command(rest, env)
}
