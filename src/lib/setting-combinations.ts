/** Gives the mistake that settings make together, if any. */
export type CombinationCheck<Values> = (values: Partial<Values>) => string | undefined

/**
 * What must hold between settings: `read` throws an Error that names them where it does not. It is asked only where
 * each of them is right by itself, so that one mistake is not told twice.
 */
export function checkCombination<Values, Name extends keyof Values>(
  names: readonly Name[],
  read: (values: Pick<Values, Name>) => unknown,
): CombinationCheck<Values> {
  return (values) => {
    if (!hasAll(values, names)) return undefined
    try {
      read(values)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** All mistakes that the checks find. */
export function combinationMistakes<Values>(
  checks: readonly CombinationCheck<Values>[],
  values: Partial<Values>,
): readonly string[] {
  return checks.map((check) => check(values)).filter((mistake) => mistake !== undefined)
}

function hasAll<Values, Name extends keyof Values>(
  values: Partial<Values>,
  names: readonly Name[],
): values is Partial<Values> & Pick<Values, Name> {
  return names.every((name) => name in values)
}
