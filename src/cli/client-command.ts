import './node-20.ts'
import process from 'node:process'
import { cardsCommand } from './commands/cards.ts'
import { checkCommand } from './commands/check.ts'
import { signCommand } from './commands/sign.ts'
import { runProgram } from './run-program.ts'

/** The command of the client's package: what needs a server, and neither draws nor stores. Runs on Node 20. */
const description = 'Signs pictures of a Mintmark server, and gives the pages of a built site their tags.'

void runProgram(process.argv.slice(2), process.env, description, {
  cards: async () => cardsCommand,
  sign: async () => signCommand,
  check: async () => checkCommand,
}).then((exitCode) => {
  process.exitCode = exitCode
})
