import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Asset } from '../assets/kit/asset.ts'
import { allowedValues } from '../lib/fields.ts'
import { listOf } from '../lib/human-format.ts'
import { kindColumn, parameterNames, type RowValue } from './rows/read-rows.ts'

export interface CommandTexts {
  readonly description: string
  readonly arguments?: Readonly<Record<string, string>>
  /** The options by their flags. An option that takes a value may be given once, unless it is told otherwise. */
  readonly options?: Readonly<Record<string, string>>
  readonly help?: string | undefined
}

/** A command of these texts. `kinds` has by flag the values that an option takes, which `{values}` stands for, or its parser. */
export function commandOf(
  name: string,
  { description, arguments: places = {}, options = {}, help }: CommandTexts,
  kinds: Readonly<Record<string, readonly string[] | typeof append>> = {},
): Command {
  const command = new Command(name).description(description)
  for (const [place, text] of Object.entries(places)) command.argument(place, text)
  for (const [flags, text] of Object.entries(options)) {
    const kind = kinds[flags.split(' ')[0] ?? '']
    if (typeof kind === 'function') command.addOption(new Option(flags, text).argParser(kind))
    else if (kind !== undefined)
      command.addOption(onceOption(flags, text.replace('{values}', listOf(kind)), kind))
    else command.addOption(flags.includes('<') ? onceOption(flags, text) : new Option(flags, text))
  }
  return help === undefined ? command : command.addHelpText('after', `\n${help}`)
}

export function onceOption(flags: string, description: string, values?: readonly string[]): Option {
  return new Option(flags, description).argParser((value: string, earlier: string | undefined) => {
    if (values?.includes(value) === false) throw new InvalidArgumentError(`It must be ${listOf(values)}.`)
    if (earlier !== undefined) throw new InvalidArgumentError('It is given twice.')
    return value
  })
}

/** Adds an option for each parameter of the assets. Returns a function that reads the given ones, by the names of parameters. */
export function addParameterOptions(
  command: Command,
  assets: readonly Asset[],
  reserved: readonly string[] = [],
): () => ReadonlyMap<string, RowValue> {
  const listed = [kindColumn, ...new Set(assets.flatMap((asset) => [...parameterNames(asset)]))]
    .filter((name) => !reserved.includes(name))
    .map((name) => parameterOption(name, assets))
  for (const { option } of listed) command.addOption(option)
  command
    // Not before, because a misspelt option is told only of those that the help shows.
    .on('beforeHelp', () => {
      for (const { option } of listed) option.hideHelp()
    })
    .option('--parameters', 'explain the parameters, which are options too')
    .on('option:parameters', () => {
      command.configureOutput().writeOut?.(explained(listed))
      throw new CommanderError(0, 'mintmark.parameters', '')
    })
    .addHelpText('after', `\n${named(listed)}`)
  return () => {
    const values = command.opts<Readonly<Record<string, RowValue | undefined>>>()
    return new Map(
      listed.flatMap(({ name, option }) => {
        const value = values[option.attributeName()]
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  }
}

interface ParameterOption {
  readonly name: string
  readonly option: Option
  /** The values of a parameter that has a list of them in each asset that has it. */
  readonly values: readonly string[]
}

function parameterOption(name: string, assets: readonly Asset[]): ParameterOption {
  const fields = assets.flatMap(({ id, query: { properties } }) => {
    const field = properties[name]
    return field === undefined ? [] : [{ id, field, text: field.description ?? '' }]
  })
  // An older name has no field, and so no description.
  const texts = [...Map.groupBy(fields, ({ text }) => text)].map(
    ([text, each]) => `${each.map(({ id }) => id).join(', ')}: ${text}`,
  )
  const description = name === kindColumn ? 'which asset it is' : texts.join('; ') || 'an older name'
  const flags = `--${name} <value>`
  const option = fields.some(({ field }) => field['type'] === 'array')
    ? new Option(flags, description).argParser(append)
    : onceOption(flags, description)
  const lists = fields.map(({ field }) => (field['type'] === 'boolean' ? undefined : allowedValues(field)))
  const values = lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : []
  return { name, option, values: name === kindColumn ? assets.map(({ id }) => id) : values }
}

const columns = 80

function named(options: readonly ParameterOption[]): string {
  const lines = ['Parameters:']
  for (const { name, values } of options) {
    const word = values.length === 0 ? `--${name}` : `--${name} ${values.join('|')}`
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + word.length < columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines.join('\n')
}

function explained(options: readonly ParameterOption[]): string {
  const listing = new Command('parameters').helpOption(false)
  for (const { option, values } of options) {
    const text = values.length === 0 ? option.description : `${option.description} (${values.join(', ')})`
    listing.addOption(new Option(option.flags, text))
  }
  const help = listing.helpInformation()
  return help.slice(help.indexOf('Options:')).replace('Options:', 'Parameters:')
}

export function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value]
}
