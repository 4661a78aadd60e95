import { words } from '../../lib/words.ts'
import { letters, titleParts } from '../preview/site-name.ts'
import { titleWithoutSite } from '../preview/title-without-site.ts'
import vocabulary from './data/llms-words.json' with { type: 'json' }
import {
  findPlaces,
  isLanguageSegment,
  type LlmsPage,
  type LlmsPlace,
  mainSection,
  optionalSection,
  postSections,
  sectionRank,
  slugTitle,
} from './llms-places.ts'

export interface LlmsRequest {
  readonly host: string
  readonly name: string | undefined
  readonly summary: string | undefined
  readonly language?: string | undefined
  readonly sitemapUrl?: string
  readonly pages: readonly LlmsPage[]
}

/** Sections are by what people look for, the pages that are linked most first. Yields after every small step. */
export function* llmsSteps(request: LlmsRequest) {
  const { host, name, summary, pages, sitemapUrl } = request
  const title = plainText(name, titleCharsMax) ?? host
  const blurb = plainText(summary, summaryCharsMax) ?? `The website at ${host}.`
  const sections = shortened(yield* sectionsOf(request))
  const listed = sections.reduce((count, section) => count + section.pages.length, 0)
  const titleOf = createTitles([name, title, host], pages)
  const notes = notesOf(pages)
  const body: string[] = []
  for (const section of sections) {
    const lines: string[] = []
    for (const { page } of section.pages) {
      const note = notes.get(page.url)
      const link = `[${titleOf(page)}](${linkTarget(page.markdown ?? page.url)})`
      lines.push(note === undefined ? `- ${link}` : `- ${link}: ${note}`)
      yield
    }
    body.push(`## ${section.title}\n\n${lines.join('\n')}\n`)
  }
  const all = sitemapUrl === undefined ? '' : ` All are in [sitemap.xml](${linkTarget(sitemapUrl)}).`
  const note = `This file lists ${listed} of ${pages.length} pages.${all}\n`
  const head = [`# ${title}\n`, `> ${blurb}\n`, ...(listed < pages.length ? [note] : [])]
  return { text: [...head, ...body].join('\n'), listed }
}

type PlacedPage = LlmsPlace & { readonly page: LlmsPage; readonly index: number }

interface Section {
  readonly title: string
  readonly pages: readonly PlacedPage[]
}

const linesMax = 200
const headLines = 6
const linesAround = 3
/** Pages of sections that grow without end or that few readers need. */
const sideSectionMax = 20
const summaryCharsMax = 300

const sectionsMax = 12

function* sectionsOf({ pages, language }: LlmsRequest): Generator<void, readonly Section[]> {
  const placeOf = yield* findPlaces(pages, language)
  const sections = new Map<string, PlacedPage[]>()
  for (const [index, page] of pages.entries()) {
    const place = placeOf(page.url)
    sections.getOrInsertComputed(place.section, () => []).push({ ...place, page, index })
    yield
  }
  const named = [...sections].filter(([title]) => title !== mainSection && title !== optionalSection)
  const large = named
    .filter(([, { length }]) => length > 1)
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, sectionsMax)
  const small = named.filter((section) => !large.includes(section)).flatMap(([, placed]) => placed)
  const main = [...(sections.get(mainSection) ?? []), ...small]
  const optional = sections.get(optionalSection) ?? []
  return [[mainSection, main] as const, ...large, [optionalSection, optional] as const]
    .filter(([, placed]) => placed.length > 0)
    .sort(([one], [other]) => sectionRank(one) - sectionRank(other))
    .map(([title, placed]) => ({ title, pages: placed.toSorted(postSections.has(title) ? byNews : byLinks) }))
}

function byLinks(one: PlacedPage, other: PlacedPage): number {
  return (
    Number(isHome(other)) - Number(isHome(one)) ||
    (other.page.linkCount ?? 0) - (one.page.linkCount ?? 0) ||
    (one.page.linkOrder ?? Number.MAX_SAFE_INTEGER) - (other.page.linkOrder ?? Number.MAX_SAFE_INTEGER) ||
    one.depth - other.depth ||
    one.index - other.index
  )
}

function isHome({ depth, isOptional }: LlmsPlace): boolean {
  return depth === 0 && !isOptional
}

function byNews(one: PlacedPage, other: PlacedPage): number {
  const links = (other.page.linkCount ?? 0) - (one.page.linkCount ?? 0)
  if (links !== 0 || one.page.lastmod === other.page.lastmod) return links || byLinks(one, other)
  return (one.page.lastmod ?? '') < (other.page.lastmod ?? '') ? 1 : -1
}

/** Cuts the sections to the length of the file: small ones stay whole, and large ones share the rest evenly. */
function shortened(sections: readonly Section[]): readonly Section[] {
  const wanted = sections.map(({ title, pages }) =>
    postSections.has(title) || title === optionalSection
      ? Math.min(pages.length, sideSectionMax)
      : pages.length,
  )
  let left = linesMax - headLines - linesAround * sections.length
  const granted = new Map<number, number>()
  const bySize = [...wanted.entries()].sort(([, one], [, other]) => one - other)
  for (const [rank, [index, count]] of bySize.entries()) {
    const share = Math.min(count, Math.floor(left / (bySize.length - rank)))
    granted.set(index, share)
    left -= share
  }
  return sections.map(({ title, pages }, index) => ({ title, pages: pages.slice(0, granted.get(index)) }))
}

/** The descriptions of pages by URL, without those that several pages share. */
function notesOf(pages: readonly LlmsPage[]): ReadonlyMap<string, string> {
  const byNote = Map.groupBy(pages, ({ description }) => plainText(description, summaryCharsMax) ?? '')
  byNote.delete('')
  return new Map([...byNote].flatMap(([note, [page, other]]) => (page && !other ? [[page.url, note]] : [])))
}

function linkTarget(url: string): string {
  return new URL(url).href.replace(
    /[()<>\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Returns the titles of pages in turn, each with other words. A part that most titles of `pages` share names the site. */
function createTitles(names: readonly (string | undefined)[], pages: readonly LlmsPage[]) {
  const given = names.flatMap((name) => (name === undefined ? [] : [letters(name)]))
  const siteNames = new Set([...given, ...sharedParts(pages)].filter((name) => name !== ''))
  const used = new Set<string>()

  function isTelling(text: string): boolean {
    const key = letters(text)
    return /\p{L}/u.test(text) && !siteNames.has(key) && !sayNothing.has(key)
  }

  /** Two lines of the same words say nothing: the second gets the language or the folder of its page. */
  function unique(title: string, url: string): string {
    const key = letters(title)
    const isNew = !used.has(key)
    used.add(key)
    const segments = segmentsOf(url)
    const language = segments.slice(0, 2).find((segment) => isLanguageSegment(segment.toLowerCase()))
    const place = language ?? plainText(slugTitle(segments.at(-2) ?? ''), titleCharsMax)
    return isNew || title === unnamed || place === undefined ? title : `${title} (${place})`
  }

  return (page: LlmsPage): string => {
    const { host, pathname } = new URL(page.url)
    const site = { host, name: undefined, titleParts: siteNames }
    const said = [page.title, page.heading, page.listedTitle, ...(page.linkTexts ?? [])]
    const candidates = said.flatMap((title) => {
      const rest = titleWithoutSite({ title, heading: page.heading }, site, false)
      return plainText(rest, titleCharsMax) ?? []
    })
    const telling = candidates.filter((text) => pathname === '/' || isTelling(text))
    const all = [...telling, slugOf(page.url)]
    const [title = ''] = [...all.filter((text) => !used.has(letters(text))), ...all]
    return unique(title, page.url)
  }
}

/** A first or last part of titles that half of the pages have, and at least two. */
function sharedParts(pages: readonly LlmsPage[]): readonly string[] {
  const titles = pages.flatMap(({ title }) => (title === undefined ? [] : [titleParts(title)]))
  const ends = titles.flatMap((parts) =>
    parts.length < 2 ? [] : [...new Set([letters(parts[0] ?? ''), letters(parts.at(-1) ?? '')])],
  )
  return [...Map.groupBy(ends, (part) => part)]
    .filter(([, { length }]) => length > 2 && length * 2 >= titles.length)
    .map(([part]) => part)
}

function slugOf(url: string): string {
  const last = segmentsOf(url).at(-1)
  return last === undefined ? 'Home' : (plainText(slugTitle(last), titleCharsMax) ?? unnamed)
}

function segmentsOf(url: string): readonly string[] {
  return new URL(url).pathname.split('/').filter((segment) => segment !== '')
}

const unnamed = 'Page'
const titleCharsMax = 120

const sayNothing: ReadonlySet<string> = new Set(words(vocabulary.sayNothing))

/** Returns text without the characters that Markdown gives a meaning, or undefined if nothing that shows is left. */
function plainText(raw: string | undefined, charsMax: number): string | undefined {
  const text = (raw ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[[\]<>`*~\\]/g, (character) => substitutes[character] ?? '')
    .replace(/^[\s#+=-]+/, '')
    .trim()
  if (!visibleCharacter.test(text)) return undefined
  const characters = [...text]
  const cut = characters.slice(0, charsMax - 1).join('')
  return characters.length <= charsMax ? text : `${cut.trimEnd()}…`
}

const visibleCharacter = /[^\p{C}\p{Z}\p{M}]/u
const substitutes: Readonly<Record<string, string>> = { '[': '(', ']': ')', '<': '‹', '>': '›', '`': '’' }
