import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { escapeControlsOfLines } from '../lib/human-format.ts'
import { errorLine } from '../lib/system-reason.ts'
import { version } from '../lib/version.ts'
import { withoutSecrets } from '../lib/words.ts'

/** The commands of a program, in the order of its help. Each is loaded when it is named. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>

/**
 * Does what the words of the command line ask for, and returns the exit code. Prints help and errors.
 *
 * @param commandsWith makes the commands, which call its parameter with an exit code other than 0
 */
export async function runProgram(
  words: readonly string[],
  description: string,
  commandsWith: (end: (exitCode: number) => void) => Commands,
): Promise<number> {
  let exitCode = 0
  const commands = commandsWith((code) => {
    exitCode = code
  })
  const program = await createProgram(words, description, commands)
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

/** The program with the command that the first word names; with all of them where it names none. */
async function createProgram(
  words: readonly string[],
  description: string,
  commands: Commands,
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
    const command = await commands[name]?.()
    if (command === undefined) continue
    program.addCommand(command.copyInheritedSettings(program))
    for (const below of command.commands) below.copyInheritedSettings(program)
  }
  return program
}

/** Not `console.log`, which is silent where the output is full or closed: what was asked for did not come then. */
export function print(text: string): void {
  writeFileSync(1, text.endsWith('\n') ? text : `${text}\n`)
}

function printError(text: string): void {
  process.stderr.write(escapeControlsOfLines(withoutSecrets(text)))
}

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const everyMs = 100
const barChars = 24

/** Shows on a terminal how far a run is, in one line that is drawn again and again; nothing on a pipe. */
export function createProgressBar(terminal: Terminal, total: number, nowMs: () => number, unit = '') {
  const startMs = nowMs()
  let done = 0
  let shownMs = Number.NEGATIVE_INFINITY
  const isShown = terminal.isTTY === true

  function show(): void {
    const seconds = Math.max((nowMs() - startMs) / 1000, 0.001)
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
      if (!isShown || nowMs() - shownMs < everyMs) return
      shownMs = nowMs()
      show()
    },
    /** Leaves the last state on the terminal. */
    end(): void {
      if (!isShown) return
      show()
      terminal.write('\n')
    },
  }
}

/** `1:05` for 65 seconds. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
