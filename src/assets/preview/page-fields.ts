import { systemClock } from '../../lib/clock.ts'
import { nonEmptyText } from './clean-text.ts'
import { authorRules } from './fields/authors.ts'
import { modifiedRules, publishedRules } from './fields/dates.ts'
import { imageRules } from './fields/images.ts'
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
import { audioRules, playerRules, videoRules } from './fields/players.ts'
import { siteNameRules, siteNameTest } from './fields/site-name.ts'
import { tagRules } from './fields/tags.ts'
import { descriptionRules, sectionRules, titleRules } from './fields/texts.ts'
import { themeColorRules } from './fields/theme-color.ts'
import { typeRules } from './fields/type.ts'
import { readLinkedData, typesOf } from './linked-data.ts'
import type { PageMetadata } from './page-metadata.ts'
import type { PageFields, Preview, PreviewWarning } from './preview.ts'
import { refreshOf } from './refresh.ts'
import { contentsOf, type FieldRule, firstMatch, meta, metaContents, type PreviewedPage } from './rule.ts'
import { tagMembers } from './tag-members.ts'
import { createUrlResolver } from './url-resolver.ts'

/** The response of a page, as far as the rules need it. */
export interface PageOrigin {
  /** After redirects. */
  readonly url: string
  /** When the page was fetched, milliseconds since 1970. */
  readonly nowMs?: number
  /** Whether the operator allows links to an address that is not public. */
  readonly allowsAddress?: (address: string) => boolean
  readonly headers: Readonly<Record<string, string>>
}

/** Extracts every field of an HTML page. Yields to the cooperative scheduler after each rule. */
export function* pageFields(metadata: PageMetadata, origin: PageOrigin): Generator<void, PageFields> {
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
  const refresh = refreshTarget(page) ?? null
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
    ...(yield* linkLists(page)),
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
  return { ...fields, warnings: [...warnings] }
}

function* linkLists(page: PreviewedPage): Generator<void, Pick<Preview, 'feeds' | 'oembed' | 'alternates'>> {
  const links = alternateLinks(page)
  yield
  return { feeds: feedsOf(links), oembed: oembedOf(links), alternates: alternatesOf(links) }
}

function* pageOf(
  metadata: PageMetadata,
  { url, headers, nowMs = systemClock.now(), allowsAddress }: PageOrigin,
  warnings: Set<PreviewWarning>,
): Generator<void, PreviewedPage> {
  const linkedData = yield* readLinkedData(metadata.linkedData)
  const contents = contentsOf(metadata.metas)
  const page = {
    metadata,
    url,
    nowMs,
    headers,
    linkedData,
    contents,
    isSmall: charsIn(metadata) <= smallCharsMax,
    resolve: createUrlResolver(url, metadata.base, {
      ...(allowsAddress && { allowsAddress }),
      onPrivate: () => warnings.add('private_address'),
    }),
  }
  return { ...page, isSiteName: siteNameTest(page) }
}

function charsIn({ charsOf, linkedData, bylines }: PageMetadata): number {
  let chars = bylines.length * bylineCharsMax
  for (const listChars of charsOf.values()) chars += listChars
  for (const block of linkedData) chars += block.length
  return chars
}

function refreshTarget({ metadata, resolve }: PreviewedPage): string | undefined {
  return resolve(refreshOf(metadata.refresh)?.href)
}

const typesMax = 50
/** Twice what most pages have. */
const smallCharsMax = 32_768
const bylineCharsMax = 300
