import { LRUCache } from 'lru-cache'
import { cardHeightPx, cardWidthPx, type Scene } from '../../raster/scene.ts'
import { baseDirection } from '../../text/direction.ts'
import { initials } from '../../text/initials.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import type { Direction } from '../../text/types.ts'
import { type Accent, chooseAccent } from './accent.ts'
import { createCanvas, type PlacedText, type TextRole } from './canvas.ts'
import { createLabelFitter } from './label-fitter.ts'
import { sceneToSvg } from './scene-to-svg.ts'
import { shownDomain } from './shown-domain.ts'
import type { CardWords, PreparedTheme } from './theme.ts'
import { type ThemeName, themes } from './themes.ts'

/** What a caller asks for. Texts are already cleaned; an empty one counts as absent. */
export interface CardParams {
  readonly title: string
  readonly subtitle?: string
  readonly author?: string
  readonly url?: string
  readonly theme: ThemeName
  /** Hex colour; without one the URL or the title chooses. */
  readonly accent?: string
  /** BCP 47. */
  readonly lang?: string
}

/** A scene together with what stands in it. */
export interface Composition {
  readonly scene: Scene
  readonly texts: readonly PlacedText[]
}

/** Draws cards: the same parameters always give the same bytes. `prepare` must be awaited first. */
export interface CardRenderer {
  /** Loads the fonts that the words need; undefined when they are there already. */
  prepare(params: CardParams): Promise<void> | undefined
  compose(params: CardParams): Composition
  scene(params: CardParams): Scene
  svg(params: CardParams): string
}

const backgroundBytesMax = 2 * 2 ** 20

export function createCardRenderer(engine: TextEngine): CardRenderer {
  const fitLabel = createLabelFitter(engine)
  const seenWords = new WeakMap<CardParams, CardWords>()
  const dresses = new LRUCache<string, PreparedTheme>({
    maxSize: backgroundBytesMax,
    sizeCalculation: ({ background }, key) =>
      2 * (background.defs.length + background.body.length + key.length) + 1024,
  })

  /** The same parameters are prepared first and drawn then; parameters that are remembered longer hold no words. */
  function wordsFor(params: CardParams): CardWords {
    const words = seenWords.get(params) ?? wordsOf(params)
    seenWords.set(params, words)
    return words
  }

  function dressFor(
    themeName: ThemeName,
    accent: Accent,
    direction: Direction,
  ): { readonly prepared: PreparedTheme; readonly key: string } {
    const key = `${themeName} ${accent.key} ${direction}`
    const known = dresses.get(key)
    if (known !== undefined) return { prepared: known, key }
    const prepared = themes[themeName].prepare(accent, direction)
    dresses.set(key, prepared)
    return { prepared, key }
  }

  function compose(params: CardParams): Composition {
    const words = wordsFor(params)
    const direction = baseDirection(params.title)
    const { prepared: dress, key } = dressFor(
      params.theme,
      chooseAccent(words.domain ?? params.title, params.accent),
      direction,
    )
    const canvas = createCanvas(engine, fitLabel, direction, params.lang)
    dress.draw(words, canvas)
    seenWords.delete(params)
    const { layers, texts } = canvas
    const background = { key, ...dress.background }
    return {
      scene: {
        widthPx: cardWidthPx,
        heightPx: cardHeightPx,
        background,
        layers,
        flat: themes[params.theme].flat,
      },
      texts,
    }
  }

  return {
    prepare(params) {
      const language = params.lang === undefined ? {} : { lang: params.lang }
      const { styles } = themes[params.theme]
      const words = Object.entries(wordsFor(params)) as [TextRole, string][]
      return engine.prepare(words.map(([role, text]) => ({ text, style: styles[role], ...language })))
    },
    compose,
    scene: (params) => compose(params).scene,
    svg(params) {
      const words = wordsFor(params)
      const desc = [words.subtitle, words.author, words.domain]
        .filter((text) => text !== undefined)
        .join(' · ')
      return sceneToSvg(compose(params).scene, { title: words.title, desc })
    },
  }
}

function wordsOf({ title, subtitle, author, url, lang }: CardParams): CardWords {
  const letters = author ? initials(author, lang === undefined ? {} : { lang }) : ''
  return {
    title,
    ...(subtitle ? { subtitle } : {}),
    ...(author ? { author } : {}),
    ...(letters ? { initials: letters } : {}),
    ...(url ? { domain: shownDomain(url) } : {}),
  }
}
