import type { TextEngine } from './text-engine.ts'

/**
 * A text engine that is loaded with the first text. HarfBuzz, the decoder of fonts and the rules of all scripts hold
 * some 15 MB and take a tenth of a second, which a process that draws nothing does not need.
 */
export function createLazyTextEngine(): TextEngine {
  let engine: TextEngine | undefined
  let loading: Promise<TextEngine> | undefined

  async function load(): Promise<TextEngine> {
    const { createTextEngine } = await import('./text-engine.ts')
    engine = createTextEngine()
    return engine
  }

  function loaded(): TextEngine {
    if (engine === undefined) throw new Error('The fonts of a text are prepared before it is laid out.')
    return engine
  }

  return {
    draw(...given) {
      if (engine !== undefined) return engine.draw(...given)
      loading ??= load()
      return loading.then((ready) => ready.draw(...given))
    },
    prepare(requests) {
      if (engine !== undefined) return engine.prepare(requests)
      loading ??= load()
      return loading.then((ready) => ready.prepare(requests))
    },
    fit: (request) => loaded().fit(request),
    line: (...given) => loaded().line(...given),
    loads: () => engine?.loads() ?? 0,
    cachedBytes: () => engine?.cachedBytes() ?? { fonts: 0, words: 0, harfbuzzHeap: 0 },
  }
}
