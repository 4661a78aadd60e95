import tls from 'node:tls'
import { closestWord } from './edit-distance.ts'
import { parseMicros } from './human-format.ts'
import { systemReason } from './system-reason.ts'

/** One environment variable. `default` is text as a user would write it; without one the value may be undefined. */
export interface Setting<Value> {
  /** Turns the text into the value; throws an Error that says what is allowed. */
  readonly parse: (text: string) => Value
  readonly default?: string
  readonly doc: string
  /** For settings that name a file: throws an Error that says what is wrong with its contents. */
  readonly checkFile?: (contents: string) => void
  readonly secret?: boolean
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

export type SettingValues<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default: string }
    ? ReturnType<Table[Name]['parse']>
    : ReturnType<Table[Name]['parse']> | undefined
}

export interface FoundSettings<Table extends SettingsTable> {
  readonly values: Partial<SettingValues<Table>>
  readonly mistakes: readonly string[]
}

export type Environment = Readonly<Record<string, string | undefined>>

export class SettingsError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The settings are not valid:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.name = 'SettingsError'
    this.mistakes = mistakes
  }
}

export type SettingRule<Values> = (values: Partial<Values>) => string | undefined

/** `read` throws if the settings do not go together. Called only when each is valid, so no mistake is reported twice. */
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

/** Reads each from the environment, or the file that `<NAME>_FILE` names. An unknown name with one of `prefixes` is a mistake. */
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
      if (text !== undefined)
        setting.checkFile?.(contentsOf(text, readFile, 'names a file that cannot be read'))
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
  return contentsOf(file, readFile, `cannot be read from the file that ${name}_FILE names`).trim()
}

/** The error has no path, which may be a secret where somebody took the setting for the value itself. */
function contentsOf(path: string, readFile: (path: string) => string, fault: string): string {
  try {
    return readFile(path)
  } catch (error) {
    const reason = systemReason(error)
    throw new Error(reason === undefined ? fault : `${fault}: ${reason}`)
  }
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

/** A variable that is nearly a setting is warned of, never a mistake: other programs share the environment. */
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

export function asWritten(text: string): string {
  return text
}

export function integerFrom(min: number, max: number) {
  return (text: string): number => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new Error(`must be an integer from ${min} to ${max}`)
  }
}

export function flag(text: string): boolean {
  if (/^(on|true|yes|1)$/i.test(text)) return true
  if (/^(off|false|no|0)$/i.test(text)) return false
  throw new Error('must be on or off')
}

export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return (text: string): Values[number] => {
    if (values.includes(text)) return text
    throw new Error(`must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`)
  }
}

/** A decimal amount of money above zero with at most six decimals, as integer micros. */
export function price(text: string): number {
  const micros = parseMicros(text) ?? 0
  if (micros === 0) throw new Error('must be an amount such as 0.01: above 0, with at most six decimals')
  return micros
}

export const anyCount = integerFrom(0, 1_000_000_000)

export function either<One, Other>(one: (text: string) => One, other: (text: string) => Other) {
  return (text: string): One | Other => {
    const mistakes: string[] = []
    for (const parse of [one, other]) {
      try {
        return parse(text)
      } catch (error) {
        mistakes.push((error as Error).message)
      }
    }
    throw new Error(mistakes.join(', or ').replace(', or must be ', ', or '))
  }
}

export function matching(pattern: RegExp, meaning: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text
    throw new Error(`must be ${meaning}`)
  }
}

/** `scheme://host[:port]`, maybe with a path, without a slash at the end. Its characters need no escaping anywhere. */
export function baseUrl(text: string): string {
  const { origin, pathname, search, hash, username } = httpUrl(text)
  const path = pathname.replace(/\/$/, '')
  if (search !== '' || hash !== '' || username !== '')
    throw new Error('must be a URL such as https://cards.example or https://example.com/cards, and no more')
  if (!/^(?:\/[\w.~-]+)*$/.test(path))
    throw new Error('must have a path of letters, digits and . _ ~ - only, if it has one')
  return origin + path
}

export function webUrl(text: string): string {
  return httpUrl(text).href
}

export function certificates(contents: string): void {
  try {
    if (!contents.includes('-----BEGIN ')) throw new Error('no PEM')
    tls.createSecureContext({ ca: contents })
  } catch {
    throw new Error('names a file that holds no certificate as PEM')
  }
}

export function hostName(text: string): string {
  const host = text.toLowerCase()
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:\d{1,5})?$/.test(host)) return host
  throw new Error(`must hold host names, not ${text}`)
}

export function namedUrl(text: string): { readonly name: string; readonly url: string } {
  const equals = text.indexOf('=')
  if (equals < 1) throw new Error('must hold name=url')
  return { name: text.slice(0, equals).trim(), url: webUrl(text.slice(equals + 1)) }
}

/** `host:port`; an IPv6 host is in brackets. */
export function endpoint(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host === '') throw new Error('must hold host:port')
  return { host, port: integerFrom(1, 65535)(port) }
}

export function headerMap(text: string): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(JSON.parse(text)))
  } catch {
    throw new Error('must be a JSON object of header names and values')
  }
}

/** Checks the form only: a checksum needs Keccak, which viem brings where payments are on. */
export const ethereumAddress = matching(/^0x[0-9a-f]{40}$/i, 'an address: 0x and 40 hex digits')

/** The order of the group of secp256k1: private keys lie between zero and it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Parses a private key of secp256k1. No error message quotes a digit of it. */
export function privateKey(text: string): `0x${string}` {
  const [, digits] = /^0x([0-9a-f]{64})$/i.exec(text) ?? []
  if (digits === undefined) throw new Error('must be 0x and 64 hex digits')
  const number = BigInt(`0x${digits}`)
  if (number > 0n && number < curveOrder) return `0x${digits}`
  throw new Error('must be a private key of secp256k1: above zero and below the order of the curve')
}

/** A comma list of `parse`d entries; empty entries are ignored. */
export function commaListOf<Value>(parse: (text: string) => Value) {
  return (text: string): readonly Value[] =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parse)
}

function httpUrl(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const withScheme = URL.parse(`https://${text}`)
  const isSchemeMissing = url === null && withScheme !== null && withScheme.username === ''
  throw new Error(
    `must be an absolute http or https URL${isSchemeMissing ? `, such as https://${text}` : ''}`,
  )
}
