/** A function that keeps its latest results, a few hundred of them: for few inputs that come again and again. */
export function memo<Input, Result extends {}>(
  make: (input: Input) => Result,
  entriesMax = 512,
): (input: Input) => Result {
  // A full map is replaced: what a cleared one held would stay until a full garbage collection.
  let kept = new Map<Input, Result>()
  return (input) => {
    const cached = kept.get(input)
    if (cached !== undefined) return cached
    if (kept.size >= entriesMax) kept = new Map()
    const made = make(input)
    kept.set(input, made)
    return made
  }
}
