import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Asset } from '../assets/kit/asset.ts'
import { allowedValues } from '../lib/fields.ts'
import { listOf } from '../lib/human-format.ts'
import { kindColumn, parameterNames, type RowValue } from './rows/read-rows.ts'

/** An option that takes a value and may be given once. */
export function onceOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, earlier: string | undefined) => {
    if (earlier !== undefined) throw new InvalidArgumentError('It is given twice.')
    return value
  })
}

/** An option that takes one of these values, and may be given once. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const option = onceOption(flags, description)
  const parse = option.parseArg
  option.argParser((value: string, earlier: string | undefined) => {
    if (!values.includes(value)) throw new InvalidArgumentError(`It must be ${listOf(values)}.`)
    return parse?.(value, earlier)
  })
  valuesOf.set(option, values)
  return option
}

/** The values that options are limited to. */
const valuesOf = new WeakMap<Option, readonly string[]>()

/** The values that an option is limited to; none where it takes any text. */
export function optionValues(option: Option): readonly string[] {
  return valuesOf.get(option) ?? []
}

/**
 * Adds an option for each parameter of the assets, besides those in `reserved`. The help names them with their values, and
 * `--parameters` explains them. Returns a function that reads those that were given, by the names of the parameters.
 */
export function addParameterOptions(
  command: Command,
  assets: readonly Asset[],
  reserved: readonly string[] = [],
): () => ReadonlyMap<string, RowValue> {
  const options = new Map(
    [kindColumn, ...new Set(assets.flatMap((asset) => [...parameterNames(asset)]))]
      .filter((name) => !reserved.includes(name))
      .map((name) => [name, parameterOption(name, assets)]),
  )
  const listed = [...options.values()]
  for (const option of listed) command.addOption(option)
  command
    // Not before, because a misspelt option is told only of those that the help shows.
    .on('beforeHelp', () => {
      for (const option of listed) option.hideHelp()
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
      [...options].flatMap(([name, option]) => {
        const value = values[option.attributeName()]
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  }
}

function parameterOption(name: string, assets: readonly Asset[]): Option {
  const fields = assets.flatMap(({ id, query }) => {
    const field = query.properties[name]
    return field === undefined ? [] : [{ id, description: field.description ?? '', type: field['type'] }]
  })
  const flags = `--${name} <value>`
  const description = descriptionOf(name, fields)
  const option = fields.some(({ type }) => type === 'array')
    ? new Option(flags, description).argParser(append)
    : onceOption(flags, description)
  valuesOf.set(option, valuesOfParameter(name, assets))
  return option
}

/** The values of a parameter, if it has a list of them in each asset that has it. */
function valuesOfParameter(name: string, assets: readonly Asset[]): readonly string[] {
  if (name === kindColumn) return assets.map(({ id }) => id)
  const lists = assets.flatMap(({ query }) => {
    const field = query.properties[name]
    return field === undefined ? [] : [field['type'] === 'boolean' ? undefined : allowedValues(field)]
  })
  return lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : []
}

const columns = 80

/** The names of parameters with their values, in lines that fit a terminal. */
function named(options: readonly Option[]): string {
  const lines = ['Parameters:']
  for (const option of options) {
    const values = optionValues(option).join('|')
    const word = values === '' ? (option.long ?? '') : `${option.long} ${values}`
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + word.length < columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines.join('\n')
}

/** Every parameter with what it says, as a help does. */
function explained(options: readonly Option[]): string {
  const listing = new Command('parameters').helpOption(false)
  for (const option of options) {
    const values = optionValues(option)
    const text = values.length === 0 ? option.description : `${option.description} (${values.join(', ')})`
    listing.addOption(new Option(option.flags, text))
  }
  const help = listing.helpInformation()
  return help.slice(help.indexOf('Options:')).replace('Options:', 'Parameters:')
}

function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value]
}

/** The parameter's description with the assets that have it; an older name has none. */
function descriptionOf(
  name: string,
  fields: readonly { readonly id: string; readonly description: string }[],
): string {
  if (name === kindColumn) return 'which asset it is'
  const idsByText = Map.groupBy(fields, ({ description }) => description)
  const texts = [...idsByText].map(([text, each]) => `${each.map(({ id }) => id).join(', ')}: ${text}`)
  return texts.join('; ') || 'an older name'
}
