import { Buffer } from 'node:buffer'
import type { ChildProcess } from 'node:child_process'
import { createFrameReader, encodeFrame } from '../frames.ts'
import { pictureFrameBytesMax } from './picture-messages.ts'

/** What a process says: one of `pictureReply`; that it is gone; or nothing, for too long. */
export interface Heard {
  readonly kind: number | 'gone' | 'silent'
  readonly content: Buffer
}

/** One process and its two pipes. */
export interface PictureConnection {
  send(content: unknown): void
  /** The next thing that the process says. One at a time. */
  listen(msMax: number): Promise<Heard>
  /** Kills the process. Resolves when its memory is given back, or after `msMax`: one that does not go must stop nobody. */
  end(msMax: number): Promise<void>
  readonly isOpen: boolean
}

const nothing = Buffer.alloc(0)

export function connectPicture(child: ChildProcess): PictureConnection {
  let isOpen = true
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
  // Writing to a process that has just died: its exit tells.
  child.stdin?.on('error', () => undefined)
  child.unref()

  return {
    send: (content) => void child.stdin?.write(encodeFrame(0, Buffer.from(JSON.stringify(content)))),
    listen(msMax) {
      if (!isOpen) return Promise.resolve({ kind: 'gone', content: nothing })
      return new Promise((resolve) => {
        const timer = setTimeout(() => tell({ kind: 'silent', content: nothing }), msMax)
        tell = (heard) => {
          clearTimeout(timer)
          tell = () => undefined
          resolve(heard)
        }
      })
    },
    end(msMax) {
      child.kill('SIGKILL')
      return Promise.race([gone, new Promise<void>((resolve) => setTimeout(resolve, msMax).unref())])
    },
    get isOpen() {
      return isOpen
    },
  }
}
