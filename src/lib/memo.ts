/** A function that keeps its latest results, a few hundred of them: for few inputs that come again and again. */
export function memo<Input, Result extends {}>(make: (input: Input) => Result, entriesMax = 512) {
  // A full map is replaced: what a cleared one held would stay until a full garbage collection.
  let results = new Map<Input, Result>()
  return (input: Input): Result => {
    const cached = results.get(input)
    if (cached !== undefined) return cached
    if (results.size >= entriesMax) results = new Map()
    const made = make(input)
    results.set(input, made)
    return made
  }
}

/** Remembers results for texts of callers. One that is longer costs more memory than making its result again. */
export function textMemo<Result extends {}>(
  make: (text: string) => Result,
  charsMax: number,
  entriesMax?: number,
) {
  const cached = memo(make, entriesMax)
  return (text: string): Result => (text.length <= charsMax ? cached(text) : make(text))
}

export function weakMemo<Input extends WeakKey, Result>(make: (input: Input) => Result) {
  const results = new WeakMap<Input, { readonly result: Result }>()
  return (input: Input): Result => {
    const kept = results.get(input)
    if (kept !== undefined) return kept.result
    const result = make(input)
    results.set(input, { result })
    return result
  }
}

/** Uses a part that is loaded with its first use; a load that failed is tried again with the next. */
export function loadedOnce<Part>(load: () => Promise<Part>) {
  let part: Part | undefined
  let loading: Promise<Part> | undefined

  async function loadPart(): Promise<Part> {
    try {
      part = await load()
      return part
    } finally {
      loading = undefined
    }
  }

  async function useWhenLoaded<Result>(use: (part: Part) => Result): Promise<Awaited<Result>> {
    loading ??= loadPart()
    return await use(await loading)
  }

  return <Result>(use: (part: Part) => Result): Result | Promise<Awaited<Result>> =>
    part === undefined ? useWhenLoaded(use) : use(part)
}

export function runOnce<T>(action: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined
  return () => {
    outcome ??= action()
    return outcome
  }
}
