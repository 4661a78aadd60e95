import process from 'node:process'
import type { Commands } from './run-program.ts'
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

export async function start(runtime: Runtime, words: readonly string[], env: Environment): Promise<void> {
  // Loaded apart: a server needs no command, and most commands no server.
  const serve = async () => (await import('./run.ts')).run(runtime, env)
  if (words.length === 0) return serve()
  const [{ Command }, { runProgram }] = await Promise.all([import('commander'), import('./run-program.ts')])
  const about =
    'serve until told to stop (what mintmark does without a command); settings are environment variables'
  const serveCommand = () => new Command('serve').description(about).action(serve)
  const exitCode = await runProgram(words, env, description, { serve: async () => serveCommand, ...commands })
  if (exitCode !== 0) process.exitCode = exitCode
}
