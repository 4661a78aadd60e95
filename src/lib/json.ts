export type JsonObject = Readonly<Record<string, unknown>>

/** Neither null nor a list is an object with members. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Levels of objects and arrays that a text may have: no real page comes near. */
export const jsonDepthMax = 64

/** `JSON.parse` cannot be interrupted, and takes ten times as long where every character opens a level. */
export function* isTooDeep(text: string): Generator<void, boolean> {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    if (at % stepChars === stepChars - 1) yield
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBracket || code === openBrace) depth += 1
    else if (code === closeBracket || code === closeBrace) depth = Math.max(0, depth - 1)
    if (depth > jsonDepthMax) return true
  }
  return false
}

const stepChars = 16_384
export const quote = 0x22
export const backslash = 0x5c
export const openBracket = 0x5b
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d

export function drained<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** An object of the same names; those for which `change` returns undefined are left out. */
export function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result | undefined,
): Readonly<Record<string, Result>> {
  const changed = Object.entries(values).map(([name, value]) => [name, change(value, name)] as const)
  return Object.fromEntries(changed.filter((member): member is [string, Result] => member[1] !== undefined))
}

/** The values that say something: null, undefined and empty texts are left out. */
export function saidOnly<Value extends object>(values: Value) {
  const said = Object.entries(values).filter(([, value]) => value != null && value !== '')
  return Object.fromEntries(said) as { readonly [Name in keyof Value]?: NonNullable<Value[Name]> }
}
