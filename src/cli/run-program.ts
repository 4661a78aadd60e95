import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { escapeControlsOfLines } from '../lib/human-format.ts'
import { errorLine } from '../lib/system-reason.ts'
import { version } from '../lib/version.ts'
import { withoutSecrets } from '../lib/words.ts'
import type { CommandContext, Environment } from './runtime.ts'

/** The commands of a program, in the order of its help. Each is loaded when it is named. */
export type Commands = Readonly<Record<string, () => Promise<(context: CommandContext) => Command>>>

/** Does what the words of the command line ask for, and returns the exit code. Prints help and errors. */
export async function runProgram(
  words: readonly string[],
  env: Environment,
  description: string,
  commands: Commands,
): Promise<number> {
  let exitCode = 0
  const context: CommandContext = {
    env,
    print,
    end(code) {
      exitCode = code
    },
  }
  const program = await createProgram(words, description, commands, context)
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has printed its own errors.
    if (error instanceof CommanderError) return error.exitCode
    // The reader of the output has seen enough, as `head` does.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 1
    printError(`${errorLine(error)}\n`)
    return 1
  }
}

async function createProgram(
  words: readonly string[],
  description: string,
  commands: Commands,
  context: CommandContext,
): Promise<Command> {
  const program = new Command('mintmark')
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: printError })
    .showHelpAfterError('(--help tells more)')
  const [word = ''] = words
  for (const name of Object.hasOwn(commands, word) ? [word] : Object.keys(commands)) {
    const command = (await commands[name]?.())?.(context)
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

function printError(text: string): void {
  process.stderr.write(escapeControlsOfLines(withoutSecrets(text)))
}

/** Works on so many items at once, in their order, until `stop` is aborted. After an error it begins no further one. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
  stop?: AbortSignal,
): Promise<void> {
  const waiting = items.entries()
  let failure: { readonly error: unknown } | undefined
  async function run(): Promise<void> {
    for (const [index, item] of waiting) {
      if (stop?.aborted || failure !== undefined) return
      try {
        await work(item, index)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  if (failure !== undefined) throw failure.error
}

const everyMs = 100
const barChars = 24

/** Shows on a terminal how far a run is, in one line that is drawn again and again; nothing on a pipe. */
export function createProgressBar(total: number, unit = '') {
  const terminal = process.stderr
  const startMs = performance.now()
  let done = 0
  let shownMs = Number.NEGATIVE_INFINITY

  function show(): void {
    const seconds = Math.max((performance.now() - startMs) / 1000, 0.001)
    const filled = Math.round(barChars * Math.min(1, done / total))
    const bar = '█'.repeat(filled) + '░'.repeat(barChars - filled)
    const left = done === 0 || done > total ? '' : `, ${clock((seconds / done) * (total - done))} left`
    const line = `${bar} ${done}/${total}${unit && ` ${unit}`}, ${Math.round(done / seconds)} a second${left}`
    // A terminal that does not know its width says 0.
    terminal.write(`\r\u001b[2K${line.slice(0, (terminal.columns || 80) - 1)}`)
  }

  return {
    step(count = 1): void {
      done += count
      if (!terminal.isTTY || performance.now() - shownMs < everyMs) return
      shownMs = performance.now()
      show()
    },
    end(): void {
      if (!terminal.isTTY) return
      show()
      terminal.write('\n')
    },
  }
}

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
