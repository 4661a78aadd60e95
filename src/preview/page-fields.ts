import type { PageFacts } from './facts.ts'
import { authorRules, tagRules } from './fields/authors.ts'
import { modifiedRules, publishedRules } from './fields/dates.ts'
import { imageRules } from './fields/images.ts'
import { languageRules } from './fields/language.ts'
import {
  alternatesOf,
  bestIcon,
  canonicalRules,
  feedsOf,
  iconsOf,
  logoRules,
  manifestRules,
  oembedOf,
} from './fields/links.ts'
import { audioRules, playerRules, videoRules } from './fields/players.ts'
import { descriptionRules, sectionRules, siteNameRules, titleRules } from './fields/texts.ts'
import { typeRules } from './fields/type.ts'
import { readLinkedData, typesOf } from './jsonld.ts'
import type { PageFields, Preview } from './preview.ts'
import { firstOf, meta, metaContents, type Page, type Rule } from './rule.ts'
import { textOrNull } from './text.ts'
import { createUrlResolver } from './web-url.ts'

/** Where the page came from, as far as the rules care. */
export interface PageOrigin {
  /** After redirects. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Decides every field that the content of an HTML page decides. */
export const pageFields = (facts: PageFacts, origin: PageOrigin): PageFields => {
  const page = pageOf(facts, origin)
  const sources: Record<string, string> = {}
  const take = <Value>(field: string, rules: readonly Rule<Value>[]): Value | null => {
    const found = firstOf(rules, page)
    if (found !== null) sources[field] = found.source
    return found?.value ?? null
  }

  const authors = take('author', authorRules) ?? []
  const images = take('image', imageRules) ?? []
  const icons = iconsOf(page)
  const refresh = refreshTarget(page)
  return {
    canonical: take('canonical', canonicalRules),
    type: take('type', typeRules),
    title: take('title', titleRules),
    description: take('description', descriptionRules),
    site_name: take('site_name', siteNameRules),
    lang: take('lang', languageRules),
    dir: directionOf(facts),
    author: authors[0] ?? null,
    authors,
    published: take('published', publishedRules),
    modified: take('modified', modifiedRules),
    section: take('section', sectionRules),
    tags: take('tags', tagRules) ?? [],
    image: images[0] ?? null,
    images,
    videos: take('videos', videoRules) ?? [],
    audios: take('audios', audioRules) ?? [],
    player: take('player', playerRules),
    icon: bestIcon(icons),
    icons,
    logo: take('logo', logoRules),
    manifest: take('manifest', manifestRules),
    theme_color: take('theme_color', [meta('theme-color')]),
    feeds: feedsOf(page),
    oembed: oembedOf(page),
    alternates: alternatesOf(page),
    fediverse_creator: take('fediverse_creator', [meta('fediverse:creator')]),
    robots: {
      meta: metaContents(page, 'robots')[0] ?? null,
      header: textOrNull(origin.headers['x-robots-tag']),
    },
    og: prefixed(page, 'og:'),
    twitter: prefixed(page, 'twitter:'),
    jsonld: { types: [...new Set(page.linkedData.nodes.flatMap(typesOf))].slice(0, TYPES_MAX) },
    sources,
    refresh,
    warnings: refresh === null ? [] : ['meta_refresh'],
  }
}

/** The head alone says what readers ask for: the body need not be fetched. */
export const isHeadEnough = (facts: PageFacts, origin: PageOrigin): boolean => {
  const page = pageOf(facts, origin)
  const found = (rules: readonly Rule<unknown>[]) => firstOf(rules, page) !== null
  return [titleRules, descriptionRules, imageRules, authorRules, publishedRules].every(found)
}

const pageOf = (facts: PageFacts, { url, headers }: PageOrigin): Page => ({
  facts,
  url,
  headers,
  linkedData: readLinkedData(facts.linkedData),
  resolve: createUrlResolver(url, facts.base),
})

const directionOf = ({ dir }: PageFacts): Preview['dir'] => {
  const value = dir?.trim().toLowerCase()
  return value === 'rtl' || value === 'ltr' ? value : null
}

/** The first readable value of each key with this prefix, without it. */
const prefixed = ({ facts }: Page, prefix: string): Readonly<Record<string, string>> => {
  const values = new Map<string, string>()
  for (const { key, content } of facts.metas) {
    const name = key.slice(prefix.length)
    const text = textOrNull(content)
    if (key.startsWith(prefix) && name !== '' && text !== null && !values.has(name)) values.set(name, text)
  }
  return Object.fromEntries(values)
}

const refreshTarget = ({ facts, resolve }: Page): string | null =>
  resolve(/^\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(facts.refresh ?? '')?.[1])

const TYPES_MAX = 50
