import { Buffer } from 'node:buffer'
import type { ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { minuteMs } from '../../lib/clock.ts'
import { FairLimiter } from '../../lib/fair-limiter.ts'
import { startOwnProcess } from '../../lib/own-process.ts'
import { createRateLimit } from '../../lib/rate-limit.ts'
import { beginFor, clientName, type QueueClient } from '../../lib/waiter.ts'
import {
  createWorkerSlot,
  type Outcome,
  RasterBusy,
  throwFull,
  type WorkerConnection,
} from '../thread-pool.ts'
import {
  budgetOf,
  type CallersPicture,
  type ConvertedPixels,
  createMessageReader,
  encodeMessage,
  type PictureJob,
  type PictureReply,
  pictureProcessWord,
} from './picture-messages.ts'

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

/** A picture takes more CPU time than any may have: a limit of this machine, which says little about the picture. */
export class PictureTooLong extends RasterBusy {
  constructor() {
    super('The picture takes too long to draw.')
  }
}

export type PictureDrawer = ReturnType<typeof createPictureDrawer>

export interface PictureDrawerOptions {
  readonly idleMsMax?: number
  /** A picture may take so long in all, in place of what its budget says. */
  readonly wallMsMax?: number
  readonly now?: () => number
  readonly start?: () => ChildProcess
}

/** Overruns that a client may cause. */
const overrunsPerMinute = 5

const refusals: Readonly<Record<'unreadable' | 'oversized' | 'died', string>> = {
  unreadable: 'cannot be decoded for a PNG, or shows nothing; png, jpeg, gif and svg+xml can',
  oversized: 'takes too much memory to draw',
  died: 'takes too much memory to draw',
}
const convertedRefusals = { ...refusals, unreadable: 'cannot be decoded, or shows nothing' }

/** Draws pictures that callers bring, each in bounds of time and memory that end it for certain. */
export function createPictureDrawer(options: PictureDrawerOptions = {}) {
  const {
    now = () => performance.now(),
    idleMsMax = 15_000,
    start = startPictureProcess,
    wallMsMax,
  } = options
  const slot = createWorkerSlot(() => connectPictureProcess(start(), wallMsMax), idleMsMax)
  const queue = new FairLimiter({ runningMax: 1, waitingMax: 32, dropsNewest: true })
  const results = new LRUCache<string, Uint8Array<ArrayBuffer> | keyof typeof refusals | 'overrun'>({
    maxSize: 2 ** 20,
    sizeCalculation: (value) => value.length + 300,
  })
  const overruns = createRateLimit(overrunsPerMinute, now)

  /** The PNG, or why there can be none. Throws RasterBusy for a failure of the machine: it says nothing about the job. */
  async function drawOnce(picture: PictureJob, key: string, client: QueueClient) {
    beginFor(client)
    const cached = results.get(key)
    if (cached !== undefined) return cached
    const outcome = await slot.draw(picture)
    const result = 'result' in outcome ? outcome.result : outcome.failure
    if (result === 'stalled' || result === 'unstarted')
      throw new RasterBusy(`the process that draws pictures is ${result}`)
    results.set(key, result, result === 'overrun' ? { ttl: minuteMs } : {})
    if (typeof result === 'string' && result !== 'unreadable') overruns.acquire(clientName(client))
    return result
  }

  async function drawInTurn(picture: PictureJob, client: QueueClient, reasons: typeof refusals) {
    const key = hash('sha256', JSON.stringify(picture), 'base64url')
    const waitSeconds = overruns.waitSeconds(clientName(client))
    if (waitSeconds > 0 && !results.has(key)) throw new PictureLimited(waitSeconds)
    const result =
      results.get(key) ?? (await queue.run(client, () => drawOnce(picture, key, client)).catch(throwFull))
    if (result === 'overrun') throw new PictureTooLong()
    if (typeof result === 'string') throw new PictureRefused(reasons[result])
    return result
  }

  return {
    /** @throws PictureRefused, PictureLimited, PictureTooLong, or RasterBusy when nothing is known about the picture. */
    draw(given: Omit<CallersPicture, 'kind'>, client: QueueClient): Promise<Uint8Array<ArrayBuffer>> {
      return drawInTurn({ kind: 'picture', ...given }, client, refusals)
    },
    convert(job: ConvertedPixels, client: QueueClient): Promise<Uint8Array<ArrayBuffer>> {
      return drawInTurn(job, client, convertedRefusals)
    },
    close: slot.close,
  }
}

function startPictureProcess(): ChildProcess {
  return startOwnProcess(pictureProcessWord, new URL('./picture-process.ts', import.meta.url), engineSettings)
}

/** Without its optimising compiler Bun's engine holds less, and there is little of ours to run. */
const engineSettings = { BUN_JSC_useDFGJIT: '0' } as const

/** A message of the process; `gone` if it ended; `silent` if it said nothing for too long. */
type Heard = PictureReply | { readonly reply: 'gone' | 'silent' }

/** A process may take so long until it is ready. */
const startMsMax = 5_000
/** The process ends itself when its budget is used up; this is for one that cannot. It is also how long its end is waited for. */
const graceMs = 300

/** Draws in a process that runs `picture-process.ts`, over its two pipes. */
function connectPictureProcess(child: ChildProcess, wallMsMax?: number): WorkerConnection<PictureJob> {
  let isOpen = true
  let isReady = false
  let tell: (heard: Heard) => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    function over() {
      isOpen = false
      tell({ reply: 'gone' })
      resolve()
    }
    child.on('error', over)
    child.on('exit', over)
  })
  // A process that somebody has taken over may say anything.
  const read = createMessageReader<PictureReply>((message) => tell({ ...message }))
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      child.kill('SIGKILL')
    }
  })
  // A write to a process that has just died fails; its exit is what reports the death.
  child.stdin?.on('error', () => undefined)
  child.unref()

  function listen(msMax: number): Promise<Heard> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => tell({ reply: 'silent' }), msMax)
      tell = (heard) => {
        clearTimeout(timer)
        tell = () => undefined
        resolve(heard)
      }
    })
  }

  return {
    async draw(job) {
      isReady ||= (await listen(startMsMax)).reply === 'ready'
      if (!isReady) return { failure: 'unstarted' }
      if (!isOpen) return { failure: 'died' }
      const order = { ...job, wallMsMax }
      child.stdin?.write(encodeMessage(order))
      const heard = await listen(budgetOf(order).wallMsMax + graceMs)
      if ('isOutgrown' in heard && heard.isOutgrown) isOpen = false
      return outcomeOf(heard)
    },
    isOpen: () => isOpen,
    end() {
      child.kill('SIGKILL')
      return Promise.race([gone, new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())])
    },
  }
}

function outcomeOf(heard: Heard): Outcome {
  const { reply } = heard
  if (reply === 'drawn' && typeof heard.base64 === 'string')
    return { result: new Uint8Array(Buffer.from(heard.base64, 'base64')) }
  if (reply === 'gone') return { failure: 'died' }
  const isKnown = reply === 'unreadable' || reply === 'overrun' || reply === 'oversized'
  return { failure: isKnown ? reply : 'stalled' }
}
