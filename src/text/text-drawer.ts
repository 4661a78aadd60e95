import { setImmediate } from 'node:timers/promises'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { createFairLimiter } from '../lib/fair-limiter.ts'
import { loadedOnce } from '../lib/memo.ts'
import { beginFor, type QueueClient } from '../lib/waiter.ts'
import type { TextEngine } from './text-engine.ts'
import type { TextFitter, TextRequest } from './types.ts'

export type TextDrawer = ReturnType<typeof createTextDrawer>

/** Drawings that may wait until those before them are laid out. */
const waitingMax = 256

/**
 * Lays out the few words of a badge or an avatar between other requests: where all fonts are loaded, in this turn of the
 * event loop; else each font is loaded in a turn of its own first. Cards are laid out by drawing threads.
 */
export function createTextDrawer(loadEngine = loadTextEngine) {
  const withEngine = loadedOnce(loadEngine)
  /** One drawing loads fonts at a time, so that no other one drops what it uses. */
  const queue = createFairLimiter({ runningMax: 1, waitingMax, dropsNewest: true })

  return {
    /**
     * Calls `draw` with what lays texts out.
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
          await engine.load(texts, () => undefined)
          for (const { run } of engine.fontWork(texts)) {
            await setImmediate()
            run()
          }
          return inTurn(() => draw(engine))
        })
      }
      return withEngine((engine) => inTurn(() => start(engine))) as T | Promise<T>
    },
  }
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
  () => import('./match-emoji.ts'),
  () => import('./font-choice.ts'),
  () => import('./paragraph.ts'),
  () => import('./woff2.ts'),
]

/**
 * Loads the engine with the first text: HarfBuzz, the decoder of fonts and the rules of all scripts hold some 15 MB and
 * take a tenth of a second, which a process that draws nothing does not need.
 */
async function loadTextEngine(): Promise<TextEngine> {
  for (const loadPart of parts) {
    await loadPart()
    await setImmediate()
  }
  const [{ createTextEngine }, { loadHarfBuzz }] = [
    await import('./text-engine.ts'),
    await import('./harfbuzz.ts'),
  ]
  const harfbuzz = await loadHarfBuzz()
  await setImmediate()
  return createTextEngine(harfbuzz)
}
