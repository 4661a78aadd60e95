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
 * have a buffer of their own: one visit loads many, and they must not push callers' requests out.
 */
export function createRecentRequests() {
  const [others, pictures] = [createRing(callersMax), createRing(picturesMax)]
  let last: { readonly path: string; readonly ring: Ring | undefined } = { path: '', ring: others }

  function ringOf(request: RecentRequest): Ring | undefined {
    if (/^\/(?:admin|assets)(?:\/|$)/.test(request.path)) return undefined
    return isOwnPicture(request) ? pictures : others
  }

  return {
    add(request: RecentRequest): void {
      // Most requests have the path of the one before.
      if (request.path !== last.path) last = { path: request.path, ring: ringOf(request) }
      last.ring?.add(request)
    },
    list: (): readonly RecentRequest[] =>
      [...others.list(), ...pictures.list()].toSorted((a, b) => b.atMs - a.atMs),
  }
}

export function isOwnPicture({ path }: Pick<RecentRequest, 'path'>): boolean {
  return /^\/(?:pictures|playground)\//.test(path)
}

type Ring = ReturnType<typeof createRing>

function createRing(capacity: number) {
  const ring: RecentRequest[] = []
  let next = 0
  return {
    add(request: RecentRequest): void {
      ring[next] = request
      next = (next + 1) % capacity
    },
    list: () => [...ring.slice(0, next).reverse(), ...ring.slice(next).reverse()],
  }
}
