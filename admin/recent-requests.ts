/** A finished request. Its query is left out, because it may hold a signature. */
export interface RecentRequest {
  readonly atMs: number
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly auth: string
  readonly asset: string
  /** The key that granted it, or that a refused request names. Empty without one. */
  readonly keyId: string
  /** The kind of program that sent it; no more of its User-Agent is kept. */
  readonly agent: string
}

export type RecentRequests = ReturnType<typeof createRecentRequests>

const callersMax = 1_000
const picturesMax = 100

/**
 * The last requests of this process, without those of the operator's area and of page assets. The pictures of our own pages
 * have a list of their own: one visit loads many, and they must not push callers' requests out.
 */
export function createRecentRequests() {
  const others: RecentRequest[] = []
  const pictures: RecentRequest[] = []
  return {
    add(request: RecentRequest): void {
      if (/^\/(?:admin|assets)(?:\/|$)/.test(request.path)) return
      const [list, max] = isOwnPicture(request) ? [pictures, picturesMax] : [others, callersMax]
      list.push(request)
      if (list.length > max) list.shift()
    },
    list: (): readonly RecentRequest[] =>
      [...others.toReversed(), ...pictures.toReversed()].toSorted((a, b) => b.atMs - a.atMs),
  }
}

export function isOwnPicture({ path }: Pick<RecentRequest, 'path'>): boolean {
  return /^\/(?:pictures|playground)\//.test(path)
}
