import type { Command, Option } from 'commander'
import { optionValues } from '../parameter-options.ts'

/**
 * Returns what the last word may become: commands, options or values of an option. Nothing where any text may stand, and the
 * shell offers files.
 */
export function candidates(program: Command, words: readonly string[]): readonly string[] {
  const { before, last } = joined(words)
  const command = commandOf(program, before)
  const option = optionOf(command, before.at(-1) ?? '')
  if (option !== undefined && takesValue(option)) return starting(optionValues(option), last)
  const [, flag, value] = /^(--[\w-]+)=(.*)$/.exec(last) ?? []
  if (flag !== undefined) {
    const named = optionOf(command, flag)
    const values = named === undefined ? [] : optionValues(named)
    return starting(values, value ?? '').map((each) => `${flag}=${each}`)
  }
  if (last.startsWith('-'))
    return starting([...command.options.flatMap(({ long }) => long ?? []), '--help'], last)
  return starting(
    command.commands.map((each) => each.name()),
    last,
  )
}

/** bash takes the sign of equality in `--theme=paper` for a word of its own. */
function joined(words: readonly string[]) {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  if (last === '=') return { before, last: '' }
  return { before: before.at(-1) === '=' ? before.slice(0, -1) : before, last }
}

/** The innermost command that the words name. */
function commandOf(program: Command, words: readonly string[]): Command {
  let command = program
  for (const [index, word] of words.entries()) {
    const option = optionOf(command, words[index - 1] ?? '')
    if (option !== undefined && takesValue(option)) continue
    command = command.commands.find((each) => each.name() === word) ?? command
  }
  return command
}

function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => word !== '' && (word === long || word === short))
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function starting(words: readonly string[], start: string): readonly string[] {
  return [...new Set(words)].filter((word) => word.startsWith(start))
}
