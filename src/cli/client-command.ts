import './node-20.ts'
import process from 'node:process'
import { cardsCommand } from './commands/cards.ts'
import { checkCommand } from './commands/check.ts'
import { signCommand } from './commands/sign.ts'
import { print, runProgram } from './run-program.ts'

/** The command of the client's package: what needs a server, and neither draws nor stores. Runs on Node 20. */
async function runClientCommand({ argv, env }: NodeJS.Process): Promise<number> {
  const description = 'Signs pictures of a Mintmark server, and gives the pages of a built site their tags.'
  return await runProgram(argv.slice(2), description, (end) => ({
    cards: async () => cardsCommand(env, print, end),
    sign: async () => signCommand(env, print),
    check: async () => checkCommand(env, print, end),
  }))
}

void runClientCommand(process).then((exitCode) => {
  process.exitCode = exitCode
})
