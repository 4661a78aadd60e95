import { inTurn } from '../lib/cooperative-scheduler.ts'
import { createFairLimiter } from '../lib/fair-limiter.ts'
import { beginFor, type QueueClient } from '../lib/waiter.ts'
import { textCacheBytes } from './cache-bytes.ts'
import { drawSteps } from './draw-steps.ts'
import { createFitter } from './fit-text.ts'
import { harfbuzzFile, readFontFileSync } from './font-files.ts'
import type { FontSource } from './font-source.ts'
import { createFontStore } from './font-store.ts'
import { createHarfBuzz } from './harfbuzz.ts'
import { createItemizer } from './itemize.ts'
import { LineBreaker } from './line-breaker.ts'
import { atOnce } from './steps.ts'
import { createStyleFonts } from './style-fonts.ts'
import { type TextFitter, type TextRequest, textFitter } from './text-fitter.ts'
import { inTurns, TurnOver, TurnSteps } from './text-turns.ts'
import { createWordStore } from './word-store.ts'

export type TextEngine = ReturnType<typeof createTextEngine>

/** Drawings that may wait until those before them have their fonts and are laid out. */
const waitingMax = 256

export function createTextEngine(harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))) {
  const fonts = createFontStore(harfbuzz, textCacheBytes)
  const words = createWordStore(fonts, textCacheBytes.words)
  const fitter = createFitter(createItemizer(textCacheBytes.items), createStyleFonts(words))
  /** The layouts of one turn share a breaker, and so do those in turns, because one drawing runs at a time. */
  const [turnBreaker, breaker] = [new LineBreaker(), new LineBreaker()]
  /** Only the drawing that runs loads fonts, so that no other one drops what it uses. */
  const queue = createFairLimiter({ runningMax: 1, waitingMax, dropsNewest: true })

  const turn = new TurnSteps()
  const turnFitter = textFitter((request) => turn.run(fitter.steps(request, turnBreaker)))

  /** Draws in this turn of the event loop. @throws TurnOver */
  function drawNow<T>(texts: readonly TextRequest[], draw: (fitter: TextFitter) => T): T {
    turn.start()
    if (missingOf(turn.run(fitter.sources(texts))).length > 0) throw new TurnOver()
    return draw(turnFitter)
  }

  function missingOf(sources: ReadonlySet<FontSource>): FontSource[] {
    // Looks at each, because a look keeps it from being dropped.
    return [...sources].filter((source) => !fonts.isLoaded(source))
  }

  async function drawInTurns<T>(texts: readonly TextRequest[], draw: (fitter: TextFitter) => T): Promise<T> {
    return inTurns(drawSteps({ texts, draw, fitter, fonts, breaker }), fonts.load)
  }

  function start<T>(
    texts: readonly TextRequest[],
    draw: (fitter: TextFitter) => T,
    client: QueueClient,
  ): T | Promise<T> {
    try {
      return drawNow(texts, draw)
    } catch (error) {
      if (!(error instanceof TurnOver)) throw error
      return queue.run(client, () => {
        beginFor(client)
        return drawInTurns(texts, draw)
      })
    }
  }

  return {
    /**
     * Calls `draw` with what lays texts out: in this turn of the event loop where that takes few ms, else later and in
     * short turns. `draw` must change nothing, because it is called again after each text that took long.
     * @param texts all that `draw` lays out, as far as they are known
     * @param client whose turn it is among others whose texts take long
     * @throws LimiterFull, also as a rejection, where too many wait; WaitEnded
     */
    draw<T>(
      texts: readonly TextRequest[],
      draw: (fitter: TextFitter) => T,
      client: QueueClient = '',
    ): T | Promise<T> {
      return inTurn(() => start(texts, draw, client))
    },
    /** Loads the fonts that texts need; undefined when all are loaded. Must be awaited before `fit` and `line`. */
    prepare(texts: readonly TextRequest[]): Promise<void> | undefined {
      const sources = atOnce(fitter.sources(texts))
      if (missingOf(sources).length === 0) return undefined
      return queue.run('', async () => {
        for (const source of missingOf(sources)) await fonts.load(source)
      })
    },
    /** Lays texts out in this turn, however long that takes. @throws FontMissing */
    ...textFitter((request) => atOnce(fitter.steps(request, turnBreaker))),
    /** Current sizes of the caches. */
    cachedBytes: () => ({ fonts: fonts.bytes(), words: words.bytes(), harfbuzzHeap: harfbuzz.heapBytes() }),
    /** How many fonts were loaded so far. */
    loads: fonts.loads,
  }
}
