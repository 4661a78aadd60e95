import { writeFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { errorLine } from '../lib/system-reason.ts'
import { version } from '../lib/version.ts'
import { backupCommand } from './commands/backup.ts'
import { brandCommand } from './commands/brand.ts'
import { cardsCommand } from './commands/cards.ts'
import { moveCommand } from './commands/move.ts'
import { renderCommand } from './commands/render.ts'
import { restoreCommand } from './commands/restore.ts'
import { signCommand } from './commands/sign.ts'
import { run } from './run.ts'
import type { Environment, Runtime } from './runtime.ts'

/** Does what the words of the command line ask for, and returns the exit code. Prints help, results and errors. */
export async function runCommandLine(
  words: readonly string[],
  runtime: Runtime,
  env: Environment,
): Promise<number> {
  const program = new Command('mintmark')
    .description('Mints assets for web pages: share cards, badges, avatars. Without a command it serves.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ writeOut: print })
    .showHelpAfterError('(--help tells more)')
  let exitCode = 0
  function endWith(code: number): void {
    exitCode = code
  }
  const commands = [
    new Command('serve')
      .description(
        'serve until told to stop (what mintmark does without a command); settings are environment variables',
      )
      .action(() => run(runtime, env)),
    cardsCommand(env, print, endWith),
    signCommand(env, print),
    renderCommand(env, print, endWith),
    backupCommand(env, print),
    restoreCommand(env, print),
    brandCommand(env, print),
    moveCommand(env, print, endWith),
  ]
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program))
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has printed its own errors.
    if (error instanceof CommanderError) return error.exitCode
    // The reader of the output has seen enough, as `head` does.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 1
    console.error(errorLine(error))
    return 1
  }
}

/** Not `console.log`, which is silent where the output is full or closed: what was asked for did not come then. */
function print(text: string): void {
  writeFileSync(1, text.endsWith('\n') ? text : `${text}\n`)
}
