import { textOrNull } from './clean-text.ts'
import { authorRules, tagRules } from './fields/authors.ts'
import { modifiedRules, publishedRules } from './fields/dates.ts'
import { imageRules } from './fields/images.ts'
import { languageRules } from './fields/language.ts'
import {
  alternateLinks,
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
import { readLinkedData, typesOf } from './linked-data.ts'
import type { PageMetadata } from './page-metadata.ts'
import type { PageFields, Preview } from './preview.ts'
import { firstMatch, meta, metaContents, type Page, type Rule } from './rule.ts'
import { createUrlResolver } from './url-resolver.ts'

/** Where the page came from, as far as the rules care. */
export interface PageOrigin {
  /** After redirects. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Decides every field that the content of an HTML page decides, rule by rule: a step for the cooperative scheduler each. */
export function* pageFields(metadata: PageMetadata, origin: PageOrigin): Generator<void, PageFields> {
  const page = yield* pageOf(metadata, origin)
  const sources: Record<string, string> = {}
  function* reservation<Value>(field: string, rules: readonly Rule<Value>[]): Generator<void, Value | null> {
    const found = yield* firstMatch(rules, page)
    if (found !== null) sources[field] = found.source
    return found?.value ?? null
  }

  const authors = (yield* reservation('author', authorRules)) ?? []
  const images = (yield* reservation('image', imageRules)) ?? []
  const icons = iconsOf(page)
  yield
  const refresh = refreshTarget(page)
  return {
    canonical: yield* reservation('canonical', canonicalRules),
    type: yield* reservation('type', typeRules),
    title: yield* reservation('title', titleRules),
    description: yield* reservation('description', descriptionRules),
    site_name: yield* reservation('site_name', siteNameRules),
    lang: yield* reservation('lang', languageRules),
    dir: directionOf(metadata),
    author: authors[0] ?? null,
    authors,
    published: yield* reservation('published', publishedRules),
    modified: yield* reservation('modified', modifiedRules),
    section: yield* reservation('section', sectionRules),
    tags: (yield* reservation('tags', tagRules)) ?? [],
    image: images[0] ?? null,
    images,
    videos: (yield* reservation('videos', videoRules)) ?? [],
    audios: (yield* reservation('audios', audioRules)) ?? [],
    player: yield* reservation('player', playerRules),
    icon: bestIcon(icons),
    icons,
    logo: yield* reservation('logo', logoRules),
    manifest: yield* reservation('manifest', manifestRules),
    theme_color: yield* reservation('theme_color', [meta('theme-color')]),
    ...(yield* linkLists(page)),
    fediverse_creator: yield* reservation('fediverse_creator', [meta('fediverse:creator')]),
    robots: {
      meta: metaContents(page, 'robots')[0] ?? null,
      header: textOrNull(origin.headers['x-robots-tag']),
    },
    og: prefixed(page, 'og:'),
    twitter: prefixed(page, 'twitter:'),
    jsonld: { types: [...new Set(page.linkedData.nodes.flatMap(typesOf))].slice(0, typesMax) },
    sources,
    refresh,
    warnings: refresh === null ? [] : ['meta_refresh'],
  }
}

function* linkLists(page: Page): Generator<void, Pick<Preview, 'feeds' | 'oembed' | 'alternates'>> {
  const links = alternateLinks(page)
  yield
  return { feeds: feedsOf(links), oembed: oembedOf(links), alternates: alternatesOf(links) }
}

/** Whether the head alone says what readers ask for: the body need not be fetched. Rule by rule, as steps. */
export function* headCheck(metadata: PageMetadata, origin: PageOrigin): Generator<void, boolean> {
  const page = yield* pageOf(metadata, origin)
  for (const rules of [titleRules, descriptionRules, imageRules, authorRules, publishedRules]) {
    if ((yield* firstMatch<unknown>(rules, page)) === null) return false
  }
  return true
}

function* pageOf(metadata: PageMetadata, { url, headers }: PageOrigin): Generator<void, Page> {
  const linkedData = yield* readLinkedData(metadata.linkedData)
  return { metadata, url, headers, linkedData, resolve: createUrlResolver(url, metadata.base) }
}

function directionOf({ dir }: PageMetadata): Preview['dir'] {
  const value = dir?.trim().toLowerCase()
  return value === 'rtl' || value === 'ltr' ? value : null
}

function prefixed({ metadata }: Page, prefix: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  for (const { key, content } of metadata.metas) {
    const name = key.slice(prefix.length)
    if (!key.startsWith(prefix) || name === '' || values.has(name)) continue
    const text = textOrNull(content)
    if (text !== null) values.set(name, text)
  }
  return Object.fromEntries(values)
}

function refreshTarget({ metadata: facts, resolve }: Page): string | null {
  return resolve(
    /^[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec((facts.refresh ?? '').trimStart())?.[1],
  )
}

const typesMax = 50
