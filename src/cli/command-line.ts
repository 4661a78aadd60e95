import { writeFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { errorLine } from '../lib/system-reason.ts'
import { version } from '../lib/version.ts'
import type { Environment, Runtime } from './runtime.ts'

interface CommandDeps {
  readonly runtime: Runtime
  readonly env: Environment
  readonly end: (exitCode: number) => void
}

/** In the order of the help. A command is loaded when it is named: each needs another half of the program. */
const commands: Readonly<Record<string, (deps: CommandDeps) => Promise<Command>>> = {
  serve: async ({ runtime, env }) => {
    const { run } = await import('./run.ts')
    return new Command('serve')
      .description(
        'serve until told to stop (what mintmark does without a command); settings are environment variables',
      )
      .action(() => run(runtime, env))
  },
  cards: async ({ env, end }) => (await import('./commands/cards.ts')).cardsCommand(env, print, end),
  sign: async ({ env }) => (await import('./commands/sign.ts')).signCommand(env, print),
  check: async ({ env, end }) => (await import('./commands/check.ts')).checkCommand(env, print, end),
  render: async ({ env, end }) => (await import('./commands/render.ts')).renderCommand(env, print, end),
  key: async ({ env }) => (await import('./commands/key.ts')).keyCommand(env, print),
  backup: async ({ env }) => (await import('./commands/backup.ts')).backupCommand(env, print),
  restore: async ({ env }) => (await import('./commands/restore.ts')).restoreCommand(env, print),
  brand: async ({ env }) => (await import('./commands/brand.ts')).brandCommand(env, print),
  doctor: async ({ env, end }) => (await import('./commands/doctor.ts')).doctorCommand(env, print, end),
  move: async ({ env, end }) => (await import('./commands/move.ts')).moveCommand(env, print, end),
  completion: async (deps) => {
    const { completionCommand } = await import('./commands/completion.ts')
    return completionCommand((words) => createProgram(words, deps), print)
  },
}

/** Does what the words of the command line ask for, and returns the exit code. Prints help, results and errors. */
export async function runCommandLine(
  words: readonly string[],
  runtime: Runtime,
  env: Environment,
): Promise<number> {
  let exitCode = 0
  function end(code: number): void {
    exitCode = code
  }
  const program = await createProgram(words, { runtime, env, end })
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

/** The program with the command that the first word names; with all of them where it names none. */
async function createProgram(words: readonly string[], deps: CommandDeps): Promise<Command> {
  const program = new Command('mintmark')
    .description('Mints assets for web pages: share cards, badges, avatars. Without a command it serves.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ writeOut: print })
    .showHelpAfterError('(--help tells more)')
  const [word = ''] = words
  for (const name of Object.hasOwn(commands, word) ? [word] : Object.keys(commands)) {
    const command = await commands[name]?.(deps)
    if (command === undefined) continue
    program.addCommand(command.copyInheritedSettings(program))
    for (const below of command.commands) below.copyInheritedSettings(program)
  }
  return program
}

/** Not `console.log`, which is silent where the output is full or closed: what was asked for did not come then. */
function print(text: string): void {
  writeFileSync(1, text.endsWith('\n') ? text : `${text}\n`)
}
