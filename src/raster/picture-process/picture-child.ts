import type { ChildProcess } from 'node:child_process'
import { connectPicture, type Heard, type PictureConnection } from './picture-connection.ts'
import { outgrown, type PictureJob, pictureBudget, pictureReply } from './picture-messages.ts'
import { startPictureProcess } from './start-picture-process.ts'

export type PictureOutcome =
  | { readonly png: Uint8Array<ArrayBuffer> }
  /** The picture's fault; `died` is for the process, twice. */
  | { readonly failure: 'unreadable' | 'overrun' | 'died' }
  /** The machine's fault. */
  | { readonly failure: 'stalled' | 'unstarted' }

/** The process that draws callers' pictures: started when one comes, ended after a idleTimer. Draws one at a time. */
export interface PictureChild {
  draw(job: PictureJob): Promise<PictureOutcome>
  close(): void
}

export interface PictureChildOptions {
  /** Without a picture for so long the process is ended. */
  readonly idleMsMax: number
  /** For tests. */
  readonly start?: () => ChildProcess
}

/** How long a process may take until it is ready. */
const startMsMax = 5_000
/** The process ends itself when its budget is used up; this is for one that cannot. */
const graceMs = 300

export function createPictureChild(options: PictureChildOptions): PictureChild {
  const { idleMsMax, start = startPictureProcess } = options
  let connection: PictureConnection | undefined
  /** When the memory of the last process has been given back: two at a time would take twice as much. */
  let exited: Promise<void> = Promise.resolve()
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function end(): void {
    clearTimeout(idleTimer)
    if (connection !== undefined) exited = connection.end(graceMs)
    connection = undefined
  }

  /** Undefined when no process can be had. */
  async function connect(): Promise<PictureConnection | undefined> {
    clearTimeout(idleTimer)
    if (connection?.isOpen) return connection
    await exited
    if (isClosed) return undefined
    try {
      connection = connectPicture(start())
    } catch {
      return undefined
    }
    const { kind } = await connection.listen(startMsMax)
    if (kind !== pictureReply.ready) end()
    return connection
  }

  async function attempt(job: PictureJob): Promise<PictureOutcome> {
    const current = await connect()
    if (current === undefined) return { failure: 'unstarted' }
    current.send(job)
    const reply = await current.listen(pictureBudget.wallMsMax + graceMs)
    const outcome = outcomeOf(reply)
    if (reply.kind === pictureReply.drawn || reply.kind === pictureReply.unreadable) {
      idleTimer = setTimeout(end, idleMsMax)
      idleTimer.unref()
    } else end()
    return outcome
  }

  return {
    async draw(job) {
      const outcome = await attempt(job)
      // Somebody else may have ended it; a picture that ends it twice does so by itself.
      return 'failure' in outcome && outcome.failure === 'died' && !isClosed ? attempt(job) : outcome
    },
    close() {
      isClosed = true
      end()
    },
  }
}

function outcomeOf({ kind, content }: Heard): PictureOutcome {
  if (kind === 'gone') return { failure: 'died' }
  if (kind === 'silent') return { failure: 'stalled' }
  switch (kind & ~outgrown) {
    case pictureReply.drawn:
      return { png: Uint8Array.from(content) }
    case pictureReply.unreadable:
      return { failure: 'unreadable' }
    case pictureReply.overrun:
      return { failure: 'overrun' }
    default:
      return { failure: 'stalled' }
  }
}
