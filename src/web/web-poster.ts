import { awakeNowMs } from '../lib/clock.ts'
import { defaultLimits } from './fetch-limits.ts'
import { createHop, type HopOptions } from './hop.ts'

export type WebPoster = ReturnType<typeof createWebPoster>

const totalMs = 8_000

/** Posts to the operator's URL: name and port are taken as they are, addresses are checked, no redirect is followed. */
export function createWebPoster({ userAgent, ...options }: HopOptions & { readonly userAgent: string }) {
  const hop = createHop(options)
  return {
    /** Resolves with the status of the answer, whose body is not read. Rejects with FetchFailure. */
    async post(url: URL, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
      const limits = { ...defaultLimits, deadlineAt: awakeNowMs() + totalMs, wireBytes: 0 }
      hop.checkName(url)
      const addresses = await hop.resolve(url, limits)
      const own = { 'User-Agent': userAgent, 'Content-Length': String(Buffer.byteLength(body)) }
      const { response, socket } = await hop.send(url, addresses, { ...own, ...headers }, limits, body)
      socket.destroy()
      return response.statusCode ?? 0
    },
  }
}
