import { LRUCache } from 'lru-cache'
import { weakMemo } from '../../lib/memo.ts'
import type { QueueClient } from '../../lib/waiter.ts'
import type { Scene } from '../../raster/scene.ts'
import { type CardFont, factsOf } from '../../text/brand-fonts/brand-font.ts'
import { withoutCodeMarks } from '../../text/clean-text.ts'
import { cardDirection } from '../../text/direction.ts'
import { initials } from '../../text/initials.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import type { Direction, TextFitter } from '../../text/types.ts'
import { chooseAccent, hashOf } from './accent.ts'
import { backgroundOf, colorSource } from './background/background-colors.ts'
import { type BrandPicture, type CardLogo, iconLogo } from './brand/brand-images.ts'
import type { CardBrand } from './brand/card-brand.ts'
import { Canvas, type CardFace, type PlacedText, type ThemeStyles } from './canvas.ts'
import { cardLayoutJson } from './card-layout.ts'
import type { Template } from './engine/contracts.ts'
import type { Theme } from './engine/define-theme.ts'
import type { PlacedLogo } from './logo/place-logo.ts'
import type { OgQuery } from './query.ts'
import { sceneToSvg } from './scene-to-svg.ts'
import type { Area } from './shapes.ts'
import { shownDomain } from './shown-domain.ts'
import { cardLanguage } from './templates/dates.ts'
import { loadDrawing, stylesWith, templateOf } from './templates.ts'
import { type CardTexts, cardSizes, type RoleText, type TemplateTexts } from './theme.ts'
import { createPreparedThemes, loadedTheme, loadTheme, type ThemeChoice, usualTheme } from './themes.ts'

/** Parameters of a card. Texts are already cleaned; an empty one counts as absent. */
export type CardParams = Omit<OgQuery, LookName | 'format' | 'width' | 'cacheSeconds'> &
  Partial<Pick<OgQuery, LookName>>

type LookName = 'size' | 'overflow'

export interface Card {
  readonly params: CardParams
  readonly brand?: CardBrand | undefined
  readonly ownLogo?: CardLogo | undefined
  /** The author's, drawn by templates that show one. */
  readonly face?: CardFace | undefined
  /** In place of the brand's. */
  readonly picture?: BrandPicture | undefined
  readonly client?: QueueClient
}

/** The scene of a card, the texts in it, and the area that they stand in, as it is for left-to-right. */
export interface ComposedCard {
  readonly scene: Scene
  readonly texts: readonly PlacedText[]
  readonly content: Area
  readonly logo: PlacedLogo | undefined
  readonly direction: Direction
}

/** A card as it is drawn, with what its parameters and its brand mean. */
interface DrawnCard extends Card {
  readonly themeName: ThemeChoice
  readonly theme: Theme
  readonly template: Template | undefined
  readonly styles: ThemeStyles
  readonly texts: CardTexts
}

/** Draws cards: equal parameters and brands give equal bytes. The brand decides what the parameters leave out. */
export function createCardRenderer(text: Pick<TextEngine, 'draw'>) {
  const preparedThemes = createPreparedThemes()
  function composeWith(fitter: TextFitter, card: DrawnCard): ComposedCard {
    const { params, brand, ownLogo, face, picture, themeName, theme, template, styles, texts } = card
    const direction = cardDirection([texts.title, texts.subtitle ?? ''], params.lang)
    const source = colorSource({ ...texts, domain: domainOf(params) })
    const { patterns, prepare } = theme
    const textArea = template?.area ?? 'usual'
    const { scheme = brand?.scheme, align = brand?.align, lang, size = 'og' } = params
    const logo = ownLogo ?? (params.logo === undefined ? undefined : iconLogo(params.logo)) ?? brand?.logo
    const { background, content, draw } = preparedThemes({
      theme: themeName,
      prepare,
      accent: chooseAccent(source, params.accent ?? brand?.accent),
      pattern: patterns === 1 ? 0 : hashOf(params.title) % patterns,
      direction,
      scheme,
      align,
      size,
      textArea,
      brandBackground: backgroundOf({
        ...brand,
        ...(picture && { picture }),
        ...(textArea === 'picture' && { pictureLayout: 'cover' }),
      }),
      hasLogo: logo !== undefined,
    })
    const { widthPx, heightPx } = cardSizes[size]
    const canvas = new Canvas({ fitter, styles, direction, lang, face, widthPx })
    draw(texts, canvas, logo)
    const scene = { widthPx, heightPx, background, layers: canvas.layers }
    return { scene, texts: canvas.texts, content, logo: canvas.logos[0], direction }
  }

  function svgWith(fitter: TextFitter, card: DrawnCard): readonly string[] {
    const { texts, template } = card
    const own = Object.entries(texts.template?.own ?? {}).flatMap(([role, text]) =>
      template?.roles[role]?.isSilent === true ? [] : text,
    )
    const subtitle = texts.subtitle && withoutCodeMarks(texts.subtitle)
    const place = texts.footerInPlaceOf === undefined ? texts.domain : texts.footer
    const desc = [texts.eyebrow, subtitle, ...own, texts.author, place]
      .filter((text) => text !== undefined)
      .join(' · ')
    return sceneToSvg(composeWith(fitter, card).scene, { title: withoutCodeMarks(texts.title), desc })
  }

  function layoutWith(fitter: TextFitter, card: DrawnCard): string {
    const { params, brand, themeName, texts } = card
    const layout = cardLayoutJson({
      ...composeWith(fitter, card),
      size: params.size ?? 'og',
      wanted: texts,
      theme: typeof themeName === 'string' ? themeName : 'file',
      scheme: params.scheme ?? brand?.scheme,
      missing: ['picture', 'face'].filter((name) => Reflect.get(params, name) === ''),
    })
    return JSON.stringify(layout)
  }

  return {
    composed: (card: Card): Promise<ComposedCard> => drawn(card, composeWith),
    svgPieces: (card: Card): Promise<readonly string[]> => drawn(card, svgWith),
    layoutJson: (card: Card): Promise<string> => drawn(card, layoutWith),
  }

  async function drawn<T>(given: Card, draw: (fitter: TextFitter, card: DrawnCard) => T): Promise<T> {
    const card = withTemplate(given)
    const { params, brand } = card
    const themeName = params.theme ?? brand?.themeFile ?? brand?.theme ?? usualTheme
    const theme = loadedTheme(themeName) ?? (await loadTheme(themeName))
    await loadDrawing(params.template)
    const template = templateOf(params.template)
    const styles = stylesWith(brandedStyles(theme.styles, brand), template)
    const texts = cardTextsOf(params, brand, template)
    const drawnCard = { ...card, themeName, theme, template, styles, texts }
    // A brand has one font for titles and one for all other texts.
    const fonts = [styles.title, styles.subtitle].map((style) => ({ text: '', style }))
    return text.draw(fonts, (fitter) => draw(fitter, drawnCard))
  }
}

/** The brand's template, where the parameters name none and have what it requires. */
function withTemplate(card: Card): Card {
  const { params, brand } = card
  const required = templateOf(brand?.template)?.required
  const isMissing = required !== undefined && !Object.hasOwn(params, required)
  if (brand?.template === undefined || params.template !== undefined || isMissing) return card
  return { ...card, params: { ...params, template: brand.template } }
}

function cardTextsOf(
  params: CardParams,
  brand: CardBrand | undefined,
  template: Template | undefined,
): CardTexts {
  const { title, author, lang } = params
  const { footer, footerInPlaceOf } = brand ?? {}
  const isInPlace = Boolean(footer) && footerInPlaceOf !== undefined
  const letters = author ? initials(author, lang === undefined ? {} : { lang }) : ''
  return {
    eyebrow: params.eyebrow || undefined,
    title,
    subtitle: params.subtitle || undefined,
    author: author || undefined,
    initials: letters || undefined,
    domain: isInPlace ? undefined : domainOf(params),
    footer: footer || undefined,
    ...(isInPlace && { footerInPlaceOf }),
    ...(template && { template: templateTextsOf(template, params) }),
  }
}

function domainOf({ url }: CardParams): string | undefined {
  return url ? shownDomain(url) : undefined
}

function templateTextsOf(template: Template, params: CardParams): TemplateTexts {
  const lang = cardLanguage(`${params.title} ${params.subtitle ?? ''}`, params.lang)
  const texts = template.texts(params, lang)
  const own = Object.fromEntries(
    Object.entries(texts).flatMap(([role, text]) => (text ? [[role, text] as const] : [])),
  )
  function withText(role: string | undefined): RoleText | undefined {
    const text = role === undefined ? undefined : own[role]
    return role === undefined || text === undefined ? undefined : { role, text }
  }
  const { details = [], byline } = template
  return {
    name: String(params.template),
    own,
    details: details.map(withText).filter((detail) => detail !== undefined),
    second: withText(byline?.second),
    hasFace: byline?.hasFace === true,
    lang,
    params,
  }
}

/** Styles with the fonts of the last brands. The text engine caches what it measured by style object, about 0.8 MB for each brand. */
const brandStyles = new LRUCache<string, (styles: ThemeStyles) => ThemeStyles>({ max: 4 })

function brandedStyles(styles: ThemeStyles, brand: CardBrand | undefined): ThemeStyles {
  if (brand?.titleFont === undefined && brand?.textFont === undefined) return styles
  // Not the brand itself, because it holds a logo and a picture.
  const { titleFont, textFont } = brand
  const key = `${titleFont?.key} ${textFont?.key}`
  const branded = brandStyles.get(key) ?? weakMemo((own: ThemeStyles) => withFonts(own, titleFont, textFont))
  brandStyles.set(key, branded)
  return branded(styles)
}

function withFonts(styles: ThemeStyles, titleFont?: CardFont, textFont?: CardFont): ThemeStyles {
  const branded = Object.entries(styles).map(([role, style]) => {
    const font = role === 'title' ? titleFont : textFont
    // Beside a font of one weight ours take the weight that it looks like: two on one line would fight.
    return [role, font ? { ...style, font, weight: factsOf(font).weight ?? style.weight } : style]
  })
  return Object.fromEntries(branded)
}
