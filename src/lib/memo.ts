/** A function that keeps its latest results, a few hundred of them: for few inputs that come again and again. */
export function memo<Input, Result extends {}>(
  make: (input: Input) => Result,
  entriesMax = 512,
): (input: Input) => Result {
  // A full map is replaced: what a cleared one held would stay until a full garbage collection.
  let results = new Map<Input, Result>()
  return (input) => {
    const cached = results.get(input)
    if (cached !== undefined) return cached
    if (results.size >= entriesMax) results = new Map()
    const made = make(input)
    results.set(input, made)
    return made
  }
}
