import { awakeNowMs } from '../lib/clock.ts'
import { defaultLimits, type HopLimits } from './fetch-limits.ts'
import { createHop, type HopOptions } from './hop.ts'

export interface WebPosterOptions extends HopOptions {
  readonly userAgent: string
}

export type WebPoster = ReturnType<typeof createWebPoster>

const totalMs = 8_000

/** Posts to the operator's URL: name and port are taken as they are, addresses are checked, no redirect is followed. */
export function createWebPoster({ userAgent, ...options }: WebPosterOptions) {
  const hop = createHop(options)
  return {
    /** Resolves with the status of the answer, whose body is not read. Rejects with FetchFailure. */
    async post(url: URL, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
      const limits: HopLimits = {
        ...defaultLimits,
        deadlineAt: awakeNowMs() + totalMs,
        wireBytes: 0,
      }
      hop.checkName(url)
      const addresses = await hop.resolve(url, limits)
      const { response, socket } = await hop.send(
        url,
        addresses,
        { 'User-Agent': userAgent, 'Content-Length': String(Buffer.byteLength(body)), ...headers },
        limits,
        body,
      )
      socket.destroy()
      return response.statusCode ?? 0
    },
  }
}
