import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { FairLimiter } from '../lib/fair-limiter.ts'
import { loadedOnce } from '../lib/memo.ts'
import { isExecutable } from '../lib/package-files.ts'
import { beginFor, type QueueClient } from '../lib/waiter.ts'
import { isBrandFont } from './brand-fonts/brand-font.ts'
import type { FontOrder } from './font-thread.ts'
import type { TextEngine } from './text-engine.ts'
import type { TextFitter, TextRequest } from './types.ts'

export type TextDrawer = ReturnType<typeof createTextDrawer>

/** Drawings that may wait until those before them are laid out. */
const waitingMax = 256
/** A thread without fonts to unpack ends after so long. */
const idleMsMax = 15_000

/** Lays out words of badges and avatars between requests: at once if all fonts are loaded, else a thread unpacks each first. */
export function createTextDrawer(loadEngine = loadTextEngine, startThread = startFontThread) {
  const withEngine = loadedOnce(loadEngine)
  const unpack = createUnpacker(startThread)
  /** One drawing loads fonts at a time, so that no other one drops what it uses. */
  const queue = new FairLimiter({ runningMax: 1, waitingMax, dropsNewest: true })

  return {
    /**
     * @param texts all that `draw` lays out
     * @param client whose turn it is among others whose texts need fonts
     * @throws LimiterFull, also as a rejection, where too many wait; WaitEnded
     */
    draw<T>(
      texts: readonly TextRequest[],
      draw: (fitter: TextFitter) => T,
      client: QueueClient = '',
    ): T | Promise<T> {
      function start(engine: TextEngine): T | Promise<T> {
        if (engine.isLoaded(texts) && engine.fontWork(texts).every(({ isLoaded }) => isLoaded))
          return draw(engine)
        return queue.run(client, async () => {
          beginFor(client)
          // Reads fonts of brands.
          await engine.draw(texts, () => undefined)
          for (const { source, letters, isLoaded, run } of engine.fontWork(texts)) {
            const isApart = !isLoaded && !isBrandFont(source)
            const bytes = isApart ? await unpack({ file: source, letters, wasm: engine.wasm }) : undefined
            await setImmediate()
            run(bytes)
          }
          return inTurn(() => draw(engine))
        })
      }
      return withEngine((engine) => inTurn(() => start(engine))) as T | Promise<T>
    },
  }
}

/** Unpacks one font after the other in a thread; undefined where that cannot, because this thread can do it as well. */
function createUnpacker(startThread: () => Worker) {
  let thread: Worker | undefined
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let settle: (bytes?: Uint8Array) => void = () => undefined

  function start(): Worker {
    const worker = startThread()
    function lost(): void {
      if (thread !== worker) return
      thread = undefined
      settle()
    }
    worker.on('message', (bytes?: Uint8Array) => settle(bytes))
    return worker.on('error', lost).on('exit', lost)
  }

  return (order: FontOrder): Promise<Uint8Array | undefined> => {
    clearTimeout(idleTimer)
    thread ??= start()
    thread.ref()
    thread.postMessage(order)
    return new Promise((resolve) => {
      settle = (bytes) => {
        thread?.unref()
        idleTimer = setTimeout(() => {
          void thread?.terminate()
          thread = undefined
        }, idleMsMax).unref()
        resolve(bytes)
      }
    })
  }
}

function startFontThread(): Worker {
  // In an executable the whole program is one file in the place of `src/main.ts`, and this one keeps its folder.
  return new Worker(new URL(isExecutable ? './text/font-thread.ts' : './font-thread.ts', import.meta.url))
}

/** The modules that take longest to load, each in a turn of the event loop of its own. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('./coverage/lookup.ts').then(({ loadCoverage }) => loadCoverage()),
  () => import('./graphemes.ts'),
  () => import('./south-east-asian.ts'),
  () => import('./east-asian-breaks.ts'),
  () => import('linebreak'),
  () => import('./breaks.ts'),
  () => import('./direction.ts'),
  () => import('./emoji.ts'),
  () => import('./font-choice.ts'),
  () => import('./paragraph.ts'),
  () => import('./woff2.ts'),
]

/** The engine takes 15 MB and a tenth of a second, which a process that draws nothing does not need. */
async function loadTextEngine(): Promise<TextEngine> {
  for (const loadPart of parts) {
    await loadPart()
    await setImmediate()
  }
  const { createTextEngine } = await import('./text-engine.ts')
  const { loadHarfBuzz } = await import('./harfbuzz.ts')
  const harfbuzz = await loadHarfBuzz()
  await setImmediate()
  return createTextEngine(harfbuzz)
}
