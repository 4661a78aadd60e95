import { join } from 'node:path'
import process from 'node:process'
import { start } from '../../../../src/cli/start.ts'
import type { CommandRequest } from '../mintmark.ts'

// The commands start this program again for callers' pictures and fonts.
process.argv[1] = join(import.meta.dir, '../../../../src/main.ts')
// Each command adds its handlers of signals, which a process of its own would take with it.
process.setMaxListeners(0)

/** Runs one command after the other, each when the parent sends it, and answers with its exit code. */
process.on('message', async ({ words, env }: CommandRequest) => {
  await start({ listen: refuse }, words, env)
  const exitCode = Number(process.exitCode ?? 0)
  process.exitCode = 0
  process.send?.(exitCode)
})
process.on('disconnect', () => process.exit())

function refuse(): never {
  throw new Error('A server needs a process of its own: startMintmark.')
}
