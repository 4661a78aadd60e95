const entriesMax = 512

/** A function that keeps its latest results, a few hundred of them: for few inputs that come again and again. */
export function memo<Input, Result extends {}>(make: (input: Input) => Result): (input: Input) => Result {
  const kept = new Map<Input, Result>()
  return (input) => {
    const cached = kept.get(input)
    if (cached !== undefined) return cached
    if (kept.size >= entriesMax) kept.clear()
    const made = make(input)
    kept.set(input, made)
    return made
  }
}
