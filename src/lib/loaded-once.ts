/**
 * Returns a function that uses a part which is loaded with its first use: at once where it is loaded, else when it is. A
 * part that could not be loaded is tried again with the next use.
 */
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
