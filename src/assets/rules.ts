import type { Rule } from './asset.ts'

/** Refuses `parameter` where `other` has this value. */
export function notWith(parameter: string, other: string, value: string): Rule {
  return (query) =>
    query[parameter] !== undefined && query[other] === value
      ? { parameter, message: `is not for ${other}=${value}` }
      : undefined
}

/** Refuses `parameter` unless `other` has this value. `other` has a default, so it is missing only where it is wrong. */
export function onlyWith(parameter: string, other: string, value: string): Rule {
  return (query) =>
    query[parameter] === undefined || query[other] === undefined || query[other] === value
      ? undefined
      : { parameter, message: `is only for ${other}=${value}` }
}
