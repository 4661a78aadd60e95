import { decodeHTMLStrict } from 'entities'
import { systemClock } from '../../lib/clock.ts'
import { isCssColor } from '../../lib/color.ts'
import { percentDecode } from '../../lib/query-pairs.ts'
import typeNames from './data/open-graph-types.json' with { type: 'json' }
import { authorRules } from './fields/authors.ts'
import { modifiedRules, publishedRules } from './fields/dates.ts'
import { languageRules, pageDirection } from './fields/language.ts'
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
import { audioRules, imageRules, playerRules, videoRules } from './fields/media.ts'
import { descriptionRules, sectionRules, titleRules } from './fields/texts.ts'
import { asList, readLinkedData, typesOf } from './linked-data.ts'
import type { PageMetadata } from './page-metadata.ts'
import { nonEmptyText } from './page-text.ts'
import type { PageFields, PreviewWarning } from './preview.ts'
import {
  contentsOf,
  type FieldRule,
  firstMatch,
  listRule,
  meta,
  metaContents,
  type PageOrigin,
  type PreviewedPage,
} from './rule.ts'
import { siteNameRules, siteNameTest } from './site-name.ts'
import { createUrlResolver } from './url-resolver.ts'

/** Extracts every field of an HTML page, and the page that rules read. Yields to the cooperative scheduler after each rule. */
export function* pageFields(
  metadata: PageMetadata,
  origin: PageOrigin,
): Generator<void, { readonly fields: PageFields; readonly page: PreviewedPage }> {
  const warnings = new Set<PreviewWarning>()
  const page = yield* pageOf(metadata, origin, warnings)
  const sources: Record<string, string> = {}
  function* extract<Value>(field: string, rules: readonly FieldRule<Value>[]): Generator<void, Value | null> {
    const match = yield* firstMatch(rules, page)
    if (match !== undefined) sources[field] = match.source
    return match?.value ?? null
  }

  const authors = (yield* extract('author', authorRules)) ?? []
  const images = (yield* extract('image', imageRules)) ?? []
  const icons = iconsOf(page)
  yield
  const links = alternateLinks(page)
  yield
  const refresh = page.resolve(refreshOf(metadata.refresh)?.href) ?? null
  const lang = yield* extract('lang', languageRules)
  if (refresh !== null) warnings.add('meta_refresh')
  const fields = {
    canonical: yield* extract('canonical', canonicalRules),
    type: yield* extract('type', typeRules),
    title: yield* extract('title', titleRules),
    description: yield* extract('description', descriptionRules),
    site_name: yield* extract('site_name', siteNameRules),
    lang,
    dir: pageDirection(metadata.dir, lang),
    author: authors[0] ?? null,
    authors,
    published: yield* extract('published', publishedRules),
    modified: yield* extract('modified', modifiedRules),
    section: yield* extract('section', sectionRules),
    tags: (yield* extract('tags', tagRules)) ?? [],
    image: images[0] ?? null,
    images,
    videos: (yield* extract('videos', videoRules)) ?? [],
    audios: (yield* extract('audios', audioRules)) ?? [],
    player: yield* extract('player', playerRules),
    icon: bestIcon(icons),
    icons,
    logo: yield* extract('logo', logoRules),
    manifest: yield* extract('manifest', manifestRules),
    theme_color: yield* extract('theme_color', themeColorRules),
    feeds: feedsOf(links),
    oembed: oembedOf(links),
    alternates: alternatesOf(links),
    fediverse_creator: yield* extract('fediverse_creator', [meta('fediverse:creator')]),
    robots: {
      meta: metaContents(page, 'robots')[0] ?? null,
      header: nonEmptyText(origin.headers['x-robots-tag']) ?? null,
    },
    og: tagMembers(page, 'og:'),
    twitter: tagMembers(page, 'twitter:'),
    jsonld: { types: [...new Set(page.linkedData.nodes.flatMap(typesOf))].slice(0, typesMax) },
    sources,
    refresh,
  }
  return { fields: { ...fields, warnings: [...warnings] }, page }
}

function* pageOf(
  metadata: PageMetadata,
  { url, headers, nowMs = systemClock.now(), allowsAddress }: PageOrigin,
  warnings: Set<PreviewWarning>,
): Generator<void, PreviewedPage> {
  const linkedData = yield* readLinkedData(metadata.linkedData)
  const page = {
    metadata,
    url,
    nowMs,
    headers,
    linkedData,
    contents: contentsOf(metadata.metas),
    resolve: createUrlResolver(url, metadata.base, allowsAddress, () => warnings.add('private_address')),
  }
  return { ...page, isSiteName: siteNameTest(page) }
}

function refreshOf(content = ''): { readonly seconds: number; readonly href: string } | undefined {
  const [, seconds = '', href] =
    /^([\d.]*)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.trimStart()) ?? []
  return href === undefined ? undefined : { seconds: Number.parseFloat(seconds) || 0, href }
}

export function moveOf(
  { headRefresh, refresh }: PageMetadata,
  target: string | null,
  url: string,
): string | undefined {
  const isAtOnce = (refreshOf(headRefresh)?.seconds ?? secondsMax + 1) <= secondsMax
  if (!isAtOnce || headRefresh !== refresh || target === null) return undefined
  return withoutHash(target) === withoutHash(url) ? undefined : target
}

export function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url
}

const secondsMax = 1

const typeRules: readonly FieldRule<string>[] = [
  meta('og:type'),
  {
    source: 'jsonld:@type',
    find: ({ linkedData: { primary } }) => {
      const types = primary === undefined ? [] : typesOf(primary)
      return openGraphTypes.find(({ pattern }) => types.some((name) => pattern.test(name)))?.type
    },
  },
  { source: 'default', find: () => 'website' },
]

const openGraphTypes = Object.entries(typeNames).map(([type, pattern]) => ({
  type,
  pattern: RegExp(pattern),
}))

/** A page may declare one for each colour scheme; the first that browsers take for a colour counts. */
const themeColorRules: readonly FieldRule<string>[] = [
  {
    source: 'meta:theme-color',
    find: (page) => metaContents(page, 'theme-color', 'name').find(isCssColor),
  },
]

const tagRules: readonly FieldRule<readonly string[]>[] = [
  listRule('article:tag', (page) => labels(tagKeys.flatMap((key) => metaContents(page, key)))),
  listRule('jsonld:keywords', ({ linkedData: { primary } }) =>
    labels(
      asList(primary?.['keywords']).flatMap((value) =>
        typeof value === 'string' ? value.split(',', labelsMax) : [],
      ),
    ),
  ),
  listRule('meta:news_keywords', (page) => splitMeta(page, 'news_keywords')),
  listRule('meta:keywords', (page) => splitMeta(page, 'keywords')),
]

const tagKeys = ['article:tag', 'og:article:tag', 'og:video:tag', 'video:tag', 'book:tag']

function splitMeta(page: PreviewedPage, key: string): readonly string[] {
  return labels(metaContents(page, key).flatMap((content) => content.split(/[,;]/, labelsMax)))
}

function labels(raw: readonly string[]): readonly string[] {
  const texts = raw.slice(0, labelsMax).flatMap((text) => nonEmptyText(text) ?? [])
  return [...new Set(texts)].slice(0, tagsMax)
}

const labelsMax = 500
const tagsMax = 50
const typesMax = 50

/** A value that may be an address is left out unless it leads to a public host by http or https. */
function tagMembers(
  { metadata, resolve }: Pick<PreviewedPage, 'metadata' | 'resolve'>,
  prefix: string,
): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  for (const { key, content } of metadata.metas) {
    const name = key.slice(prefix.length)
    if (!key.startsWith(prefix) || name === '' || values.has(name)) continue
    const text = nonEmptyText(content)
    if (text !== undefined && isHandedOn(name, text, resolve)) values.set(name, text)
  }
  return Object.fromEntries(values)
}

/** Names of texts for people, and of numbers and words: a book may be called `javascript: the basics`. */
const textName =
  /(?:^|:)(?:title|description|site_name|alt|locale|alternate|type|width|height|card|site|creator|determiner|name|section|tag|label\d*|data\d*)$/
const addressName =
  /(?:^|:)(?:url|secure_url|src|stream|href|image\d*|video|audio|logo|icon|player|see_also|author|publisher)$/
const schemeFirst = /^[a-z][a-z0-9+.-]*:/i
/** Schemes that run or hold something, or read the reader's own files. An app's own scheme only opens the app. */
const harmful = /^(?:javascript|vbscript|livescript|data|blob|file|filesystem|about|view-source|jar|mhtml):/i
const ofServers = /^(?:https?|wss?|ftps?):|^[\\/]{2}/i

function isHandedOn(name: string, text: string, resolve: PreviewedPage['resolve']): boolean {
  if (textName.test(name)) return true
  const forms = decodedForms(text)
  if (forms.some((form) => harmful.test(form))) return false
  const isAddress = addressName.test(name)
  return forms.every((form, index) => {
    const isMeant = ofServers.test(form) || (isAddress && (index === 0 || schemeFirst.test(form)))
    return !isMeant || resolve(form) !== undefined
  })
}

const decodingsMax = 3

/** A text as its readers may decode it again, as markup or as part of a URL. */
function decodedForms(text: string): readonly string[] {
  const forms: string[] = []
  for (let form = bare(text); forms.length <= decodingsMax && !forms.includes(form); ) {
    forms.push(form)
    form = bare(percentDecode(decodeHTMLStrict(form)) ?? form)
  }
  return forms
}

function bare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers leave these out
  return text.replace(/[\s\u0000-\u001f\u007f-\u00a0]/g, '')
}
