import { Buffer } from 'node:buffer'
import type { ChildProcess } from 'node:child_process'
import { FairLimiter, LimiterFull } from '../../lib/fair-limiter.ts'
import { startOwnProcess } from '../../lib/own-process.ts'
import { CallWaiter, WaitEnded } from '../../lib/waiter.ts'
import type { BrandFont } from './brand-font.ts'
import {
  FontRefused,
  fontBytesMax,
  fontFileBytesMax,
  fontProcessWord,
  fontReply,
  fontReplyHeadBytes,
  trialLimits,
} from './font-limits.ts'
import { checkSignature } from './sfnt.ts'

/** Nothing is known about the font: the machine had no time or no memory for the check. */
export class FontNotChecked extends Error {
  override readonly name = 'FontNotChecked'
}

export interface ReadFontOptions {
  /** Limit of the file: an export of ours may be larger than what people bring, up to `fontBytesMax`. */
  readonly bytesMax?: number
  readonly wallMsMax?: number
}

/** Checks take turns: each may use a whole processor and some memory. */
const turns = new FairLimiter({ runningMax: 1, waitingMax: 8 })

/**
 * The font of a WOFF2, TTF or OTF file as the engine draws with it, unpacked, without what drawing does not need. It is checked and
 * tried in a process of its own, which ends in bounded time whatever the font does.
 * @throws FontRefused, whose message ends a sentence that begins with the font's field; FontNotChecked
 */
export async function readFont(file: Uint8Array, options: ReadFontOptions = {}): Promise<BrandFont> {
  const { bytesMax = fontFileBytesMax, wallMsMax = trialLimits.wallMsMax } = options
  if (file.length > bytesMax) throw new FontRefused(`is larger than ${bytesMax / 2 ** 20} MiB`)
  checkSignature(file)
  try {
    const waiter = new CallWaiter(() => neverAborts)
    return await turns.run({ name: '', waiter }, () => checkApart(file, wallMsMax))
  } catch (error) {
    const isBusy = error instanceof LimiterFull || error instanceof WaitEnded
    throw isBusy ? new FontNotChecked(error.message, { cause: error }) : error
  }
}

const neverAborts = new AbortController().signal

async function checkApart(file: Uint8Array, wallMsMax: number): Promise<BrandFont> {
  const child = startOwnProcess(fontProcessWord, new URL('./font-process.ts', import.meta.url))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, wallMsMax)
  try {
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(file)
    const answer = await answerOf(child)
    const [kind] = answer
    const content = answer.subarray(fontReplyHeadBytes)
    if (kind === fontReply.kept)
      return { key: answer.toString('hex', 1, fontReplyHeadBytes), bytes: Uint8Array.from(content) }
    if (kind === fontReply.refused) throw new FontRefused(content.toString())
    throw new FontRefused(isLate ? 'takes too long to check' : 'takes too much memory to check')
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** Everything that the process writes until it ends; empty when it was ended before. */
function answerOf(child: ChildProcess): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    child.on('error', (cause) =>
      reject(new FontNotChecked('the process that checks fonts did not start', { cause })),
    )
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 2 * fontBytesMax) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('close', () => resolve(Buffer.concat(chunks)))
  })
}
