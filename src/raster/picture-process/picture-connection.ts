import { Buffer } from 'node:buffer'
import type { ChildProcess } from 'node:child_process'
import type { Outcome, WorkerConnection } from '../worker-slot.ts'
import {
  budgetOf,
  createMessageReader,
  encodeMessage,
  type PictureJob,
  type PictureReply,
} from './picture-messages.ts'

/** A message of the process; `gone` if it ended; `silent` if it said nothing for too long. */
type Heard = PictureReply | { readonly reply: 'gone' | 'silent' }

/** How long a process may take until it is ready. */
const startMsMax = 5_000
/** The process ends itself when its budget is used up; this is for one that cannot. It is also how long its end is waited for. */
const graceMs = 300

/** Draws in a process that runs `picture-process.ts`, over its two pipes. */
export function connectPictureProcess(child: ChildProcess, wallMsMax?: number): WorkerConnection<PictureJob> {
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
  const read = createMessageReader<PictureReply>((message) => tell(message))
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
  if (reply === 'drawn' && heard.base64 !== undefined)
    return { bytes: new Uint8Array(Buffer.from(heard.base64, 'base64')) }
  if (reply === 'gone') return { failure: 'died' }
  const isKnown = reply === 'unreadable' || reply === 'overrun' || reply === 'oversized'
  return { failure: isKnown ? reply : 'stalled' }
}
