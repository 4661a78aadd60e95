import { Buffer } from 'node:buffer'
import type { ChildProcess } from 'node:child_process'
import { createFrameReader, encodeFrame } from '../frames.ts'
import type { Outcome, WorkerConnection } from '../worker-slot.ts'
import {
  budgetOf,
  outgrown,
  type PictureJob,
  pictureFrameBytesMax,
  pictureReply,
} from './picture-messages.ts'

/** A message of the process: one of `pictureReply`; `gone` if it ended; `silent` if it said nothing for too long. */
interface Heard {
  readonly kind: number | 'gone' | 'silent'
  readonly content: Buffer
}

/** How long a process may take until it is ready. */
const startMsMax = 5_000
/** The process ends itself when its budget is used up; this is for one that cannot. It is also how long its end is waited for. */
const graceMs = 300
const nothing = Buffer.alloc(0)

/** Draws in a process that runs `picture-process.ts`, over its two pipes. */
export function connectPictureProcess(child: ChildProcess, wallMsMax?: number): WorkerConnection<PictureJob> {
  let isOpen = true
  let isReady = false
  let tell: (heard: Heard) => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    function over() {
      isOpen = false
      tell({ kind: 'gone', content: nothing })
      resolve()
    }
    child.on('error', over)
    child.on('exit', over)
  })
  const read = createFrameReader(pictureFrameBytesMax, (kind, content) => tell({ kind, content }))
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

  /** The next thing that the process says. */
  function listen(msMax: number): Promise<Heard> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => tell({ kind: 'silent', content: nothing }), msMax)
      tell = (heard) => {
        clearTimeout(timer)
        tell = () => undefined
        resolve(heard)
      }
    })
  }

  return {
    async draw(job) {
      isReady ||= (await listen(startMsMax)).kind === pictureReply.ready
      if (!isReady) return { failure: 'unstarted' }
      if (!isOpen) return { failure: 'died' }
      const order = { ...job, wallMsMax }
      child.stdin?.write(encodeFrame(0, Buffer.from(JSON.stringify(order))))
      const heard = await listen(budgetOf(order).wallMsMax + graceMs)
      if (typeof heard.kind === 'number' && (heard.kind & outgrown) !== 0) isOpen = false
      return outcomeOf(heard)
    },
    isOpen: () => isOpen,
    end() {
      child.kill('SIGKILL')
      return Promise.race([gone, new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())])
    },
  }
}

const failures: Readonly<Record<number | string, 'died' | 'unreadable' | 'overrun' | 'oversized'>> = {
  gone: 'died',
  [pictureReply.unreadable]: 'unreadable',
  [pictureReply.overrun]: 'overrun',
  [pictureReply.oversized]: 'oversized',
}

function outcomeOf({ kind, content }: Heard): Outcome {
  const reply = typeof kind === 'number' ? kind & ~outgrown : kind
  if (reply === pictureReply.drawn) return { bytes: Uint8Array.from(content) }
  return { failure: failures[reply] ?? 'stalled' }
}
