import { Command } from 'commander'
import { type Commands, print, runProgram } from './run-program.ts'
import type { Environment, Runtime } from './runtime.ts'

const description = 'Mints assets for web pages: share cards, badges, avatars. Without a command it serves.'

function commandsWith(runtime: Runtime, env: Environment, end: (exitCode: number) => void): Commands {
  return {
    serve: async () => {
      const { run } = await import('./run.ts')
      return new Command('serve')
        .description(
          'serve until told to stop (what mintmark does without a command); settings are environment variables',
        )
        .action(() => run(runtime, env))
    },
    cards: async () => (await import('./commands/cards.ts')).cardsCommand(env, print, end),
    sign: async () => (await import('./commands/sign.ts')).signCommand(env, print),
    check: async () => (await import('./commands/check.ts')).checkCommand(env, print, end),
    render: async () => (await import('./commands/render.ts')).renderCommand(env, print, end),
    key: async () => (await import('./commands/key.ts')).keyCommand(env, print),
    backup: async () => (await import('./commands/backup.ts')).backupCommand(env, print),
    restore: async () => (await import('./commands/backup.ts')).restoreCommand(env, print),
    brand: async () => (await import('./commands/brand.ts')).brandCommand(env, print),
    doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(env, print, end),
    move: async () => (await import('./commands/move.ts')).moveCommand(env, print, end),
  }
}

/** Does what the words of the command line ask for, and returns the exit code. Prints help, results and errors. */
export function runCommandLine(
  words: readonly string[],
  runtime: Runtime,
  env: Environment,
): Promise<number> {
  return runProgram(words, description, (end) => commandsWith(runtime, env, end))
}
