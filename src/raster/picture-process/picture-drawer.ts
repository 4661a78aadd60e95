import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createFairQueue, QueueFull } from '../../lib/fair-queue.ts'
import { RasterBusy } from '../pool.ts'
import { RasterFailed } from '../worker-slot.ts'
import { createPictureChild, type PictureChildOptions, type PictureOutcome } from './picture-child.ts'
import type { CallersPicture } from './picture-messages.ts'

/** The picture is at fault; the message says how, for the caller to read. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
}

/** A client has brought many pictures that overran their budget: for `waitSeconds` no more of its are drawn. */
export class PictureLimited extends Error {
  override readonly name = 'PictureLimited'
  readonly waitSeconds: number

  constructor(waitSeconds: number) {
    super('Your address has sent many pictures that are too costly to draw.')
    this.waitSeconds = waitSeconds
  }
}

/** Draws pictures that callers bring, each in bounds of time and memory that end it for certain. */
export interface PictureDrawer {
  /**
   * The picture as PNG. Clients take turns by `client`.
   * @throws PictureRefused, PictureLimited, or RasterBusy when nothing is known about the picture.
   */
  draw(picture: Omit<CallersPicture, 'kind'>, client: string): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Draws an SVG of ours around such a PNG, so that no worker need be started for it.
   * @throws RasterBusy, RasterFailed.
   */
  svgPng(svg: string, client: string): Promise<Uint8Array<ArrayBuffer>>
  close(): void
}

export interface PictureDrawerOptions extends Partial<PictureChildOptions> {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/** Overruns that a client may cause in each window. */
const overrunsMax = 5
const windowMs = 60_000

const refusals = {
  unreadable: 'cannot be decoded for a PNG, or shows nothing; png, jpeg, gif and svg+xml can',
  overrun: 'takes too long or too much memory to draw',
  died: 'takes too long or too much memory to draw',
} as const

export function createPictureDrawer(options: PictureDrawerOptions = {}): PictureDrawer {
  const { now = () => performance.now(), idleMsMax = 15_000, start } = options
  const child = createPictureChild({ idleMsMax, ...(start && { start }) })
  const queue = createFairQueue({ waitingMax: 32, waitMsMax: 3_000 })
  /** Pictures drawn, and why others were not. */
  const outcomes = new LRUCache<string, Uint8Array<ArrayBuffer> | keyof typeof refusals>({
    maxSize: 2 ** 20,
    sizeCalculation: (value) => value.length + 300,
  })
  const overruns = new LRUCache<string, { readonly count: number; readonly sinceMs: number }>({ max: 10_000 })

  function overrunsOf(client: string) {
    const past = overruns.get(client)
    return past !== undefined && now() - past.sinceMs < windowMs ? past : { count: 0, sinceMs: now() }
  }

  async function drawNow(picture: CallersPicture, key: string, client: string) {
    const cached = outcomes.get(key)
    if (cached !== undefined) return cached
    const outcome = notBusy(await child.draw(picture))
    const result = 'png' in outcome ? outcome.png : outcome.failure
    outcomes.set(key, result)
    if (result === 'overrun' || result === 'died') {
      const { count, sinceMs } = overrunsOf(client)
      overruns.set(client, { count: count + 1, sinceMs })
    }
    return result
  }

  return {
    async draw(given, client) {
      const picture: CallersPicture = { kind: 'picture', ...given }
      const key = hash('sha256', JSON.stringify(picture), 'base64url')
      let result = outcomes.get(key)
      if (result === undefined) {
        const { count, sinceMs } = overrunsOf(client)
        if (count >= overrunsMax) throw new PictureLimited(Math.ceil((sinceMs + windowMs - now()) / 1000))
        result = await queue.run(client, () => drawNow(picture, key, client)).catch(asBusy)
      }
      if (typeof result === 'string') throw new PictureRefused(refusals[result])
      return result
    },
    async svgPng(svg, client) {
      const outcome = notBusy(
        await queue.run(client, () => child.draw({ kind: 'drawing', svg })).catch(asBusy),
      )
      if ('png' in outcome) return outcome.png
      throw new RasterFailed(`the drawing ended as ${outcome.failure}`)
    },
    close: child.close,
  }
}

/** A failure of this machine says nothing about the picture. */
function notBusy(outcome: PictureOutcome) {
  if ('png' in outcome) return outcome
  const { failure } = outcome
  if (failure === 'stalled' || failure === 'unstarted')
    throw new RasterBusy(`the process that draws pictures is ${failure}`)
  return { failure }
}

function asBusy(error: unknown): never {
  if (error instanceof QueueFull) throw new RasterBusy(error.message, { cause: error })
  throw error
}
