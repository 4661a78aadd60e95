import { setImmediate } from 'node:timers/promises'
import { loadedOnce } from '../lib/loaded-once.ts'
import type { TextEngine } from './text-engine.ts'

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
]

/**
 * A text engine that is loaded with the first text. HarfBuzz, the decoder of fonts and the rules of all scripts hold
 * some 15 MB and take a tenth of a second, which a process that draws nothing does not need.
 */
export function createLazyTextEngine(): TextEngine {
  let engine: TextEngine | undefined
  const withEngine = loadedOnce(load)

  async function load(): Promise<TextEngine> {
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
    engine = createTextEngine(harfbuzz)
    return engine
  }

  function loaded(): TextEngine {
    if (engine === undefined) throw new Error('The fonts of a text are prepared before it is laid out.')
    return engine
  }

  return {
    draw: (...given) => withEngine((ready) => ready.draw(...given)),
    prepare: (requests) => withEngine((ready) => ready.prepare(requests)),
    fit: (request) => loaded().fit(request),
    line: (...given) => loaded().line(...given),
    loads: () => engine?.loads() ?? 0,
    cachedBytes: () => engine?.cachedBytes() ?? { fonts: 0, words: 0, harfbuzzHeap: 0 },
  }
}
