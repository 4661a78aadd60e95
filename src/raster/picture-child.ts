import { Buffer } from 'node:buffer'
import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createFrameReader, encodeFrame } from './frames.ts'
import {
  outgrown,
  type PictureJob,
  pictureBudget,
  pictureFrameBytesMax,
  pictureReply,
} from './picture-messages.ts'
import { pictureProcessWord } from './picture-process-word.ts'

export type PictureOutcome =
  | { readonly png: Uint8Array<ArrayBuffer> }
  /** The picture's fault; `died` is for the process, twice. */
  | { readonly failure: 'unreadable' | 'overrun' | 'died' }
  /** The machine's fault. */
  | { readonly failure: 'stalled' | 'unstarted' }

/** The process that draws callers' pictures: started when one comes, ended after a rest. Draws one at a time. */
export interface PictureChild {
  draw(job: PictureJob): Promise<PictureOutcome>
  close(): void
}

export interface PictureChildOptions {
  /** Without a picture for so long the process is ended. */
  readonly restMsMax: number
  /** For tests. */
  readonly start?: () => ChildProcess
}

/** How long a process may take until it is ready. */
const startMsMax = 5_000
/** The process ends itself when its budget is used up; this is for one that cannot. */
const graceMs = 300

export function createPictureChild({ restMsMax, start = startProcess }: PictureChildOptions): PictureChild {
  let child: ChildProcess | undefined
  /** When the memory of the last process has been given back: two at a time would take twice as much. */
  let gone: Promise<void> = Promise.resolve()
  let rest: ReturnType<typeof setTimeout> | undefined
  /** Takes what the process says; set while somebody waits for it. */
  let heard: (kind: number | 'gone', content: Buffer) => void = () => undefined

  function end(): void {
    clearTimeout(rest)
    const ended = child
    child = undefined
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return
    gone = new Promise((resolve) => {
      ended.once('exit', () => resolve())
      // One that does not go must not stop all others.
      setTimeout(resolve, graceMs).unref()
    })
    ended.kill('SIGKILL')
  }

  function open(): ChildProcess {
    const opened = start()
    const say = (kind: number | 'gone', content: Buffer = Buffer.alloc(0)) => {
      if (child === opened) heard(kind, content)
    }
    const over = () => {
      say('gone')
      if (child === opened) child = undefined
    }
    const read = createFrameReader(pictureFrameBytesMax, say)
    opened.stdout?.on('data', (chunk: Buffer) => {
      try {
        read(chunk)
      } catch {
        opened.kill('SIGKILL')
      }
    })
    opened.on('error', over)
    opened.on('exit', over)
    // Writing to a process that has just died: its exit tells.
    opened.stdin?.on('error', () => undefined)
    opened.unref()
    return opened
  }

  /** The next thing that the process says; a process that says nothing in time is ended. */
  function listen(
    msMax: number,
  ): Promise<{ readonly kind: number | 'gone' | 'silent'; readonly content: Buffer }> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        end()
        resolve({ kind: 'silent', content: Buffer.alloc(0) })
      }, msMax)
      heard = (kind, content) => {
        clearTimeout(timer)
        heard = () => undefined
        resolve({ kind, content })
      }
    })
  }

  function restLater(): void {
    rest = setTimeout(end, restMsMax)
    rest.unref()
  }

  async function isReady(): Promise<boolean> {
    if (child !== undefined) return true
    await gone
    child = open()
    return (await listen(startMsMax)).kind === pictureReply.ready
  }

  async function attempt(job: PictureJob): Promise<PictureOutcome> {
    clearTimeout(rest)
    if (!(await isReady())) {
      end()
      return { failure: 'unstarted' }
    }
    child?.stdin?.write(encodeFrame(0, Buffer.from(JSON.stringify(job))))
    const { kind, content } = await listen(pictureBudget.wallMsMax + graceMs)
    const said = typeof kind === 'number' ? kind & ~outgrown : kind
    if (said === pictureReply.drawn || said === pictureReply.unreadable) {
      if (said === kind) restLater()
      else end()
      return said === pictureReply.drawn ? { png: Uint8Array.from(content) } : { failure: 'unreadable' }
    }
    end()
    if (said === pictureReply.overrun) return { failure: 'overrun' }
    return { failure: said === 'gone' ? 'died' : 'stalled' }
  }

  return {
    async draw(job) {
      const outcome = await attempt(job)
      // Somebody else may have ended it; a picture that ends it twice does so by itself.
      return 'failure' in outcome && outcome.failure === 'died' ? attempt(job) : outcome
    },
    close: end,
  }
}

/** An executable starts itself; from source the program is a file of its own, which loads little. */
function startProcess(): ChildProcess {
  return spawn(process.execPath, processArguments(), {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])), ...engineSettings },
  })
}

const isExecutable = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')

function processArguments(): readonly string[] {
  if (isExecutable) return [pictureProcessWord]
  const program = fileURLToPath(new URL('./picture-process.ts', import.meta.url))
  return process.versions['deno'] === undefined ? [program] : ['run', '-A', '--quiet', program]
}

/** Without its optimising compiler Bun's engine holds less, and there is little of ours to run. */
const engineSettings = { BUN_JSC_useDFGJIT: '0' } as const

/** What runtimes read. No setting of ours, so no secret, reaches the process that reads what strangers send. */
const passedOn = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'DENO_DIR',
  'XDG_CACHE_HOME',
  'LD_LIBRARY_PATH',
  'BUN_JSC_forceRAMSize',
  'MIMALLOC_PURGE_DELAY',
] as const
