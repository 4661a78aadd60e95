/** One environment variable. `default` is written as a user would write it; without one the value may be undefined. */
export interface Setting<Value> {
  /** Turns the text into the value; throws an Error that says what is allowed. */
  readonly parse: (text: string) => Value
  readonly default?: string
  readonly doc: string
  /** True when the value is the path of a file that must be there. */
  readonly isPath?: boolean
  /** True when no dump may show the value. */
  readonly secret?: boolean
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

/** The values of a table: what has no default may be undefined. */
export type SettingValues<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default: string }
    ? ReturnType<Table[Name]['parse']>
    : ReturnType<Table[Name]['parse']> | undefined
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

/**
 * Reads every setting of the table from the environment, or from the file that `<NAME>_FILE` names.
 * An empty variable counts as unset. Throws a `SettingsError` that lists all mistakes,
 * unknown names under `prefixes` included.
 */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  prefixes: readonly string[],
  env: Environment,
  readFile: (path: string) => string,
): SettingValues<Table> {
  const mistakes = unknownNames(table, prefixes, env)
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(table)) {
    try {
      const text = given(name, env, readFile) ?? setting.default
      if (text !== undefined && setting.isPath) mustBeReadable(text, readFile)
      values[name] = text === undefined ? undefined : setting.parse(text)
    } catch (error) {
      mistakes.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  return values as SettingValues<Table>
}

/** The values as text for people, secrets masked. */
export function describeSettings<Table extends SettingsTable>(
  table: Table,
  values: SettingValues<Table>,
): Record<string, string> {
  const shown = Object.entries(table).map(([name, setting]) => {
    const value = values[name]
    if (value === undefined) return [name, '']
    if (setting.secret) return [name, '••••••']
    return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]
  })
  return Object.fromEntries(shown)
}

function given(name: string, env: Environment, readFile: (path: string) => string): string | undefined {
  const value = env[name] || undefined
  const file = env[`${name}_FILE`] || undefined
  if (file === undefined) return value?.trim()
  if (value !== undefined) throw new Error(`is set twice: as ${name} and as ${name}_FILE`)
  try {
    return readFile(file).trim()
  } catch {
    throw new Error(`cannot be read from the file that ${name}_FILE names`)
  }
}

function mustBeReadable(path: string, readFile: (path: string) => string): void {
  try {
    readFile(path)
  } catch {
    throw new Error('names a file that cannot be read')
  }
}

function unknownNames(table: SettingsTable, prefixes: readonly string[], env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !Object.hasOwn(table, name) && !Object.hasOwn(table, name.replace(/_FILE$/, '')))
    .map((name) => {
      const prefix = prefixes.find((candidate) => name.startsWith(candidate)) ?? ''
      const known = Object.keys(table).filter((candidate) => candidate.startsWith(prefix))
      return `${name} is not a setting (known: ${known.join(', ')})`
    })
}
