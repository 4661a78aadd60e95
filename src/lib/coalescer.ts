/** Request coalescing: concurrent calls with the same key share one run, its result and its error. */
export function createCoalescer<Result>() {
  const running = new Map<string, Promise<Result>>()

  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const shared = running.get(key) ?? work().finally(() => running.delete(key))
    running.set(key, shared)
    return shared
  }
}
