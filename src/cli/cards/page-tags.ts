import { ownAttribute } from './scan-head.ts'

export interface TagContents {
  readonly url: string
  readonly mediaType: string
  readonly widthPx: number
  readonly heightPx: number
  readonly alt: string
  readonly title: string
  readonly description: string | undefined
  readonly lang: string | undefined
  readonly otherLanguages: readonly string[]
  readonly creator: string | undefined
}

type Tag = readonly [name: string, value: string | number | undefined]

/** The tags of a page's card, in ASCII. Title, description and kind of card are left to tags that the page has. */
export function pageTags(card: TagContents, present: readonly string[], isXml: boolean): readonly string[] {
  const texts: readonly Tag[] = [
    ['twitter:card', 'summary_large_image'],
    ['og:title', card.title],
    ['og:description', card.description],
    ['og:locale', card.lang === undefined ? undefined : localeOf(card.lang)],
    ['fediverse:creator', card.creator],
  ]
  const alternates = present.includes('og:locale:alternate')
    ? []
    : card.otherLanguages.flatMap((tag) => localeOf(tag) ?? [])
  const picture: readonly Tag[] = [
    ['og:image', card.url],
    ['og:image:type', card.mediaType],
    ['og:image:width', card.widthPx],
    ['og:image:height', card.heightPx],
    ['og:image:alt', card.alt],
  ]
  const missing = texts.filter(([name, value]) => value !== undefined && !present.includes(name))
  const others = [...new Set(alternates)].map((locale) => ['og:locale:alternate', locale] as const)
  return [...picture, ...missing, ...others].map(([name, value = '']) => {
    const attribute = name.startsWith('og:') ? 'property' : 'name'
    const end = isXml ? `${ownAttribute}="" />` : `${ownAttribute}>`
    return `<meta ${attribute}="${name}" content="${asciiText(`${value}`)}" ${end}`
  })
}

/** A language with its region, which networks want: `de_DE` for `de`. */
function localeOf(tag: string): string | undefined {
  try {
    const { language, region } = new Intl.Locale(tag).maximize()
    return region === undefined ? language : `${language}_${region}`
  } catch {
    // `x-default` is a language of nobody.
    return undefined
  }
}

/** A text for an attribute in any charset: characters beyond ASCII, and those of markup, as numeric references. */
function asciiText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/&/g, '&amp;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break must not end the line
      .replace(/[<>"'\u0000-\u001f]|[^\u0000-\u007e]/gu, (character) => `&#${character.codePointAt(0)};`)
  )
}
