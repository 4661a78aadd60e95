import type { Static } from '@sinclair/typebox'
import type { Scene } from '../../raster/scene.ts'
import { baseDirection } from '../../text/direction.ts'
import { initials } from '../../text/initials.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import { chooseAccent } from './accent.ts'
import type { CardBrand } from './brand/card-brand.ts'
import { type Area, createCanvas, type PlacedText, styleOf, type TextRole } from './canvas.ts'
import { cardSizes } from './card-sizes.ts'
import { createLabelFitter } from './label-fitter.ts'
import { createPreparedThemes } from './prepared-themes.ts'
import type { ogQuery } from './query.ts'
import { sceneToSvg } from './scene-to-svg.ts'
import { shownDomain } from './shown-domain.ts'
import type { CardWords } from './theme.ts'
import { type ThemeName, themes, usualTheme } from './themes.ts'

/** Parameters of a card. Texts are already cleaned; an empty one counts as absent. */
export type CardParams = Omit<Static<typeof ogQuery>, LookName | 'format' | 'width' | 'cacheSeconds'> &
  Partial<Pick<Static<typeof ogQuery>, LookName>>

/** Parameters with a default of their own. */
type LookName = 'size' | 'overflow'

/** The scene of a card, the texts in it, and the area that they stand in, as it is for left-to-right. */
interface ComposedCard {
  readonly scene: Scene
  readonly texts: readonly PlacedText[]
  readonly content: Area
}

/**
 * Draws cards: the same parameters and the same brand always give the same bytes. What the parameters leave out, the brand
 * decides.
 */
export function createCardRenderer(engine: TextEngine) {
  const fitLabel = createLabelFitter(engine)
  const preparedThemes = createPreparedThemes()
  const preparedWords = new WeakMap<CardParams, CardWords>()

  /** Kept from `prepare` until the card is drawn: the caller may hold its parameters for longer. */
  function wordsFor(params: CardParams): CardWords {
    const words = preparedWords.get(params) ?? wordsOf(params)
    preparedWords.set(params, words)
    return words
  }

  function compose(params: CardParams, brand?: CardBrand): ComposedCard {
    const words = wordsFor(params)
    const direction = baseDirection(params.title)
    const theme = themeOf(params, brand)
    const accent = chooseAccent(words.domain ?? params.title, params.accent ?? brand?.accent)
    const { styles, flat } = themes[theme]
    const { scheme = brand?.scheme, lang, size = 'og' } = params
    const { background, content, draw } = preparedThemes({ theme, accent, direction, scheme, size })
    const { widthPx, heightPx } = cardSizes[size]
    const canvas = createCanvas(engine, fitLabel, styles, { direction, lang, widthPx })
    draw(words, canvas)
    preparedWords.delete(params)
    const { layers, texts } = canvas
    return { scene: { widthPx, heightPx, background, layers, flat }, texts, content }
  }

  return {
    /** Loads the fonts that the words need; undefined when all are loaded. To be awaited before a card is drawn. */
    prepare(params: CardParams, brand?: CardBrand): Promise<void> | undefined {
      const language = params.lang === undefined ? {} : { lang: params.lang }
      const { styles } = themes[themeOf(params, brand)]
      const words = Object.entries(wordsFor(params)) as [TextRole, string][]
      return engine.prepare(
        words.map(([role, text]) => ({ text, style: styleOf(styles, role), ...language })),
      )
    },
    compose,
    svg(params: CardParams, brand?: CardBrand): string {
      const words = wordsFor(params)
      const desc = [words.subtitle, words.author, words.domain]
        .filter((text) => text !== undefined)
        .join(' · ')
      return sceneToSvg(compose(params, brand).scene, { title: words.title, desc })
    },
  }
}

function themeOf({ theme }: CardParams, brand: CardBrand | undefined): ThemeName {
  return theme ?? brand?.theme ?? usualTheme
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
