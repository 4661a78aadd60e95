import type { Rule } from './asset.ts'

/** Refuses `parameter` where `other` has this value. */
export function notWith(parameter: string, other: string, value: string): Rule {
  return (query) =>
    query[parameter] !== undefined && query[other] === value
      ? { parameter, message: `is not for ${other}=${value}` }
      : undefined
}

/** Refuses `parameter` unless `other` has one of the values. `other` has a default, so it is missing only where it is wrong. */
export function onlyWith(parameter: string, other: string, ...values: readonly string[]): Rule {
  const message = `is only for ${values.map((value) => `${other}=${value}`).join(', ')}`
  return (query) =>
    query[parameter] === undefined || query[other] === undefined || values.includes(String(query[other]))
      ? undefined
      : { parameter, message }
}
