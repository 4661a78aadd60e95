import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Asset } from '../assets/kit/asset.ts'
import { listOf } from '../lib/human-format.ts'
import type { RowValue } from './rows/row.ts'
import { kindColumn, parameterNames } from './rows/row-request.ts'

/** An option that takes a value and may be given once. */
export function onceOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, earlier: string | undefined) => {
    if (earlier !== undefined) throw new InvalidArgumentError('It is given twice.')
    return value
  })
}

/** An option that takes one of these values, and may be given once. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).argParser((value: string, earlier: string | undefined) => {
    if (earlier !== undefined) throw new InvalidArgumentError('It is given twice.')
    if (!values.includes(value)) throw new InvalidArgumentError(`It must be ${listOf(values)}.`)
    return value
  })
}

/**
 * Adds an option for each parameter of the assets, besides those in `reserved`. Returns a function that reads those that
 * were given, by the names of the parameters.
 */
export function addParameterOptions(
  command: Command,
  assets: readonly Asset[],
  reserved: readonly string[] = [],
): () => ReadonlyMap<string, RowValue> {
  const options = new Map(
    [kindColumn, ...new Set(assets.flatMap((asset) => [...parameterNames(asset)]))]
      .filter((name) => !reserved.includes(name))
      .map((name) => [name, parameterOption(name, assets).helpGroup('Parameters:')]),
  )
  for (const option of options.values()) command.addOption(option)
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
  return fields.some(({ type }) => type === 'array')
    ? new Option(flags, description).argParser(append)
    : onceOption(flags, description)
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
