import { closestWord } from './edit-distance.ts'
import { systemReason } from './system-reason.ts'

/** One environment variable. `default` is text as a user would write it; without one the value may be undefined. */
export interface Setting<Value> {
  /** Turns the text into the value; throws an Error that says what is allowed. */
  readonly parse: (text: string) => Value
  readonly default?: string
  readonly doc: string
  /** For settings that name a file: throws an Error that says what is wrong with its contents. */
  readonly checkFile?: (contents: string) => void
  /** True when no page or log may show the value. */
  readonly secret?: boolean
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

/** The values of a table: what has no default may be undefined. */
export type SettingValues<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default: string }
    ? ReturnType<Table[Name]['parse']>
    : ReturnType<Table[Name]['parse']> | undefined
}

/** The values in an environment, and every mistake. A wrong setting has no entry among the values. */
export interface FoundSettings<Table extends SettingsTable> {
  readonly values: Partial<SettingValues<Table>>
  /** One line each. */
  readonly mistakes: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Every mistake in the environment, one line each. */
export class SettingsError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The settings are not valid:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.name = 'SettingsError'
    this.mistakes = mistakes
  }
}

/** Returns the mistake in settings that do not go together, or undefined. */
export type SettingRule<Values> = (values: Partial<Values>) => string | undefined

/**
 * A rule between settings: `read` throws an Error that names them if they do not go together. It is only called when
 * each of them is valid by itself, so that one mistake is not reported twice.
 */
export function ruleOf<Values, Name extends keyof Values>(
  names: readonly Name[],
  read: (values: Pick<Values, Name>) => unknown,
): SettingRule<Values> {
  return (values) => {
    if (!names.every((name) => name in values)) return undefined
    try {
      read(values as Pick<Values, Name>)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** The values; throws a `SettingsError` if there are mistakes, in a setting itself or in those that do not go together. */
export function validSettings<Table extends SettingsTable>(
  { values, mistakes }: FoundSettings<Table>,
  rules: readonly SettingRule<SettingValues<Table>>[] = [],
): SettingValues<Table> {
  const all = [...mistakes, ...rules.flatMap((rule) => rule(values) ?? [])]
  if (all.length > 0) throw new SettingsError(all)
  return values as SettingValues<Table>
}

/**
 * Finds every setting of the table in the environment, or in the file that `<NAME>_FILE` names.
 * An empty variable counts as unset. An unknown name that starts with one of `prefixes` is a mistake too.
 */
export function findSettings<Table extends SettingsTable>(
  table: Table,
  prefixes: readonly string[],
  env: Environment,
  readFile: (path: string) => string,
): FoundSettings<Table> {
  const mistakes = unknownNames(table, prefixes, env)
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(table)) {
    try {
      const text = readText(name, env, readFile) ?? setting.default
      if (text !== undefined) setting.checkFile?.(contentsOf(text, readFile))
      values[name] = text === undefined ? undefined : setting.parse(text)
    } catch (error) {
      mistakes.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { values: values as Partial<SettingValues<Table>>, mistakes }
}

function readText(name: string, env: Environment, readFile: (path: string) => string): string | undefined {
  const value = env[name] || undefined
  const file = env[`${name}_FILE`] || undefined
  if (file === undefined) return value?.trim()
  if (value !== undefined) throw new Error(`is set twice: as ${name} and as ${name}_FILE`)
  try {
    return readFile(file).trim()
  } catch (error) {
    throw new Error(`cannot be read from the file that ${name}_FILE names${because(error)}`)
  }
}

function contentsOf(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (error) {
    throw new Error(`names a file that cannot be read${because(error)}`)
  }
}

/** Without the path, which may be a secret where somebody took the setting for the value itself. */
function because(error: unknown): string {
  const reason = systemReason(error)
  return reason === undefined ? '' : `: ${reason}`
}

function unknownNames(table: SettingsTable, prefixes: readonly string[], env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !Object.hasOwn(table, name) && !Object.hasOwn(table, name.replace(/_FILE$/, '')))
    .map((name) => {
      const prefix = prefixes.find((candidate) => name.startsWith(candidate)) ?? ''
      const known = Object.keys(table).filter((candidate) => candidate.startsWith(prefix))
      const meant = meantSetting(name, known)
      return `${name} is not a setting (known: ${known.join(', ')})${meant ? `; did you mean ${meant}?` : ''}`
    })
}

/**
 * One line for each variable that is nearly the name of a setting and is none. Variables of other programs live in the
 * same environment, so this is a warning, never a mistake.
 */
export function misspeltSettings(table: SettingsTable, env: Environment): readonly string[] {
  const known = Object.keys(table)
  return Object.keys(env).flatMap((name) => {
    const meant = env[name] ? meantSetting(name, known) : undefined
    return meant === undefined ? [] : [`${name} is set, but is no setting. Did you mean ${meant}?`]
  })
}

/** The setting, or the file of one, that a name is close to; undefined for a setting itself. */
function meantSetting(name: string, known: readonly string[]): string | undefined {
  const [, prefix, plain = '', file = ''] = /^(MINTMARK_)?(.+?)(_FILE)?$/i.exec(name) ?? []
  if (prefix !== undefined) return known.includes(plain) ? plain + file : undefined
  const meant = known.includes(name) ? undefined : closestWord(plain, known)
  return meant && meant + file.toUpperCase()
}
