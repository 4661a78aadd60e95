import { Command } from 'commander'
import { type Commands, runProgram } from './run-program.ts'
import type { Environment, Runtime } from './runtime.ts'

const description = 'Mints assets for web pages: share cards, badges, avatars. Without a command it serves.'

const commands: Commands = {
  cards: async () => (await import('./commands/cards.ts')).cardsCommand,
  sign: async () => (await import('./commands/sign.ts')).signCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  render: async () => (await import('./commands/render.ts')).renderCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup.ts')).restoreCommand,
  brand: async () => (await import('./commands/brand.ts')).brandCommand,
  theme: async () => (await import('./commands/theme.ts')).themeCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  move: async () => (await import('./commands/move.ts')).moveCommand,
}

export function runCommandLine(words: readonly string[], runtime: Runtime, env: Environment) {
  return runProgram(words, env, description, {
    serve: async () => () => serveCommand(runtime, env),
    ...commands,
  })
}

function serveCommand(runtime: Runtime, env: Environment): Command {
  return new Command('serve')
    .description(
      'serve until told to stop (what mintmark does without a command); settings are environment variables',
    )
    .action(async () => (await import('./run.ts')).run(runtime, env))
}
