import type { FaultContext } from '../context.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly ms: number
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The statuses that are allowed. Any other counts as served wrongly. */
  readonly expected?: readonly number[]
  /** How long a caller waits before going away, in ms. */
  readonly timeoutMs?: number
}

/**
 * One call, whole. Undefined: nobody answered, as the connection was refused or cut. An error of ours is noted: a 500,
 * or a 503 that does not say when to come back.
 */
export async function ask(
  context: FaultContext,
  url: string,
  { timeoutMs = 60_000, expected, ...init }: AskOptions = {},
): Promise<Answer | undefined> {
  const startMs = performance.now()
  try {
    const response = await fetch(url, {
      ...init,
      keepalive: false,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    judge(context, url, response)
    if (expected !== undefined && !expected.includes(response.status))
      context.mistake(`${shapeOf(url)} answered ${response.status}`)
    return { status: response.status, headers: response.headers, text, ms: performance.now() - startMs }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      context.mistake(`${shapeOf(url)} was not answered within ${timeoutMs / 1000} s`)
    return undefined
  }
}

function judge(context: FaultContext, url: string, { status, headers }: Response): void {
  if (status < 500 || status === 502 || status === 504) return
  if (status === 503 && headers.has('retry-after')) return
  context.mistake(`${shapeOf(url)} answered ${status}`)
}

/** A URL without what differs between calls. */
function shapeOf(url: string): string {
  const { pathname, searchParams } = new URL(url)
  const kind = searchParams.get('kind')
  return kind === null ? pathname.slice(0, 60) : `${pathname}?kind=${kind.slice(0, 20)}`
}

/** Does so many jobs, so many at a time. */
export async function inParallel(
  total: number,
  atOnce: number,
  job: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  async function worker() {
    while (next < total) await job(next++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, total) }, worker))
}

/** Repeats a job, so many at a time, until it is told to stop. */
export function repeat(atOnce: number, job: () => Promise<void>) {
  let isOver = false
  async function worker() {
    while (!isOver) await job()
  }
  const all = Promise.all(Array.from({ length: atOnce }, worker))
  return {
    async stop(): Promise<void> {
      isOver = true
      await all
    },
  }
}
