/** Returns the mistake in a combination of settings, or undefined. */
export type CombinationCheck<Values> = (values: Partial<Values>) => string | undefined

/**
 * A rule between settings: `read` throws an Error that names them if they do not go together. It is only called when
 * each of them is valid by itself, so that one mistake is not reported twice.
 */
export function checkCombination<Values, Name extends keyof Values>(
  names: readonly Name[],
  read: (values: Pick<Values, Name>) => unknown,
): CombinationCheck<Values> {
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

export function combinationMistakes<Values>(
  checks: readonly CombinationCheck<Values>[],
  values: Partial<Values>,
): readonly string[] {
  return checks.map((check) => check(values)).filter((mistake) => mistake !== undefined)
}
