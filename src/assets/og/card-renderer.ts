import { cardHeightPx, cardWidthPx, type Scene } from '../../raster/scene.ts'
import { baseDirection } from '../../text/direction.ts'
import { initials } from '../../text/initials.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import { chooseAccent } from './accent.ts'
import { createCanvas, type PlacedText, type TextRole } from './canvas.ts'
import { createLabelFitter } from './label-fitter.ts'
import { createPreparedThemes } from './prepared-themes.ts'
import { sceneToSvg } from './scene-to-svg.ts'
import { shownDomain } from './shown-domain.ts'
import type { CardWords } from './theme.ts'
import { type ThemeName, themes } from './themes.ts'

/** Parameters of a card. Texts are already cleaned; an empty one counts as absent. */
export interface CardParams {
  readonly title: string
  readonly subtitle?: string
  readonly author?: string
  readonly url?: string
  readonly theme: ThemeName
  /** Hex colour; chosen from the URL or the title when absent. */
  readonly accent?: string
  /** BCP 47. */
  readonly lang?: string
}

/** A scene together with the texts in it. */
export interface Composition {
  readonly scene: Scene
  readonly texts: readonly PlacedText[]
}

/** Draws cards: the same parameters always give the same bytes. `prepare` must be awaited first. */
export interface CardRenderer {
  /** Loads the fonts that the words need; undefined when all are loaded. */
  prepare(params: CardParams): Promise<void> | undefined
  compose(params: CardParams): Composition
  scene(params: CardParams): Scene
  svg(params: CardParams): string
}

export function createCardRenderer(engine: TextEngine): CardRenderer {
  const fitLabel = createLabelFitter(engine)
  const preparedThemes = createPreparedThemes()
  const preparedWords = new WeakMap<CardParams, CardWords>()

  /** Kept from `prepare` until the card is drawn: the caller may hold its parameters for longer. */
  function wordsFor(params: CardParams): CardWords {
    const words = preparedWords.get(params) ?? wordsOf(params)
    preparedWords.set(params, words)
    return words
  }

  function compose(params: CardParams): Composition {
    const words = wordsFor(params)
    const direction = baseDirection(params.title)
    const accent = chooseAccent(words.domain ?? params.title, params.accent)
    const { styles, flat } = themes[params.theme]
    const { background, draw } = preparedThemes(params.theme, accent, direction)
    const canvas = createCanvas(engine, fitLabel, styles, direction, params.lang)
    draw(words, canvas)
    preparedWords.delete(params)
    const { layers, texts } = canvas
    return { scene: { widthPx: cardWidthPx, heightPx: cardHeightPx, background, layers, flat }, texts }
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
