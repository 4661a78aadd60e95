import { getDomainWithoutSuffix } from 'tldts'
import { words } from '../../lib/words.ts'
import textWords from './data/text-words.json' with { type: 'json' }
import { asList, nameOf, typesOf } from './linked-data.ts'
import { cleanPageText, isPlaceholder, nonEmptyText } from './page-text.ts'
import { type FieldRule, meta, metaContents, type PreviewedPage, passing } from './rule.ts'

/**
 * Returns whether a text is the name of the site at this URL, by what the host is called: `The Verge` at theverge.com, or
 * the name with words that sites put beside it, `Inside Rust Blog` at blog.rust-lang.org. A text that merely has the host's
 * name in it may be a headline.
 */
export function fitsHost(text: string, url: string, behind = ''): boolean {
  return isHostName(text, url) || (!isOfRelease(text, behind) && hasOnlyHostWords(text, url))
}

/** `Deno 2.4: bundles are back` tells of a version. */
function isOfRelease(text: string, behind: string): boolean {
  return /\d/.test(text) && /^:\s/.test(behind)
}

function isHostName(text: string, url: string): boolean {
  const name = letters(text).replace(/^the/, '')
  const { host, label } = namesOfHost(url)
  if (name === '' || label === '') return false
  return name === label || name === host || name === initialsOf(text, label)
}

function hasOnlyHostWords(text: string, url: string): boolean {
  const { label, parts } = namesOfHost(url)
  const telling = tellingWords(text)
  return (
    telling.length > 0 &&
    (telling.join('') === label || telling.every((word) => word.length > 2 && parts.has(word)))
  )
}

/** The words of a text beside those that say what kind of site or which version it is. */
function tellingWords(text: string): readonly string[] {
  return text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(letters)
    .filter((word) => word !== '' && !/^v?\d+$/.test(word) && !siteWords.has(word))
}

const siteWords: ReadonlySet<string> = new Set(words(textWords.siteWords))

/** Returns whether a text says what kind of site it is: `Inside Blog`. */
export function hasSiteWord(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some((word) => siteWords.has(letters(word)))
}

/** The text has the host's name in it, or is a part of that. */
function isAkinToHost(text: string, url: string): boolean {
  const name = letters(text).replace(/^the/, '')
  const { label } = namesOfHost(url)
  return (name.length >= 4 && label.includes(name)) || (label.length >= 3 && name.includes(label))
}

function namesOfHost(url: string) {
  if (url !== last.url) {
    const hostname = new URL(url).hostname.replace(/^www\./, '')
    const label = getDomainWithoutSuffix(hostname, { allowPrivateDomains: true }) ?? hostname
    const parts = new Set(hostname.split(/[.-]/).map(letters))
    last = { url, host: letters(hostname), label: letters(label).replace(/^the/, ''), parts }
  }
  return last
}

/** Each part of a title is compared with the same host. */
let last = { url: '', host: '', label: '', parts: new Set<string>() }

export function letters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const ascii = /^[ -~]*$/

type TitledPage = Pick<PreviewedPage, 'metadata' | 'contents' | 'url'>

/** The name of the site in a title, which is never the heading of the page. */
export function siteInTitle(page: TitledPage): string | undefined {
  const { url, metadata } = page
  const parts = splitTitle(metadata.title)
  const first = parts[0]
  const last = parts.at(-1)
  if (first === undefined || last === undefined || first === last) return undefined
  const own = ownTitles(page)
  const names = [last, first, ...parts.slice(1, -1)]
    .map(({ text }) => text)
    .filter((text) => text.length <= nameCharsMax && !own.has(letters(text)))
  const rests = [before(metadata.title, last), behind(metadata.title, first)]
  function isBesideHeading(name: string): boolean {
    const rest = rests[name === names[0] ? 0 : 1] ?? ''
    return own.has(letters(rest)) || isHeading(rest, metadata)
  }
  return (
    names.find((text) => isHostName(text, url)) ??
    names.find(
      (text) =>
        hasOnlyHostWords(text, url) &&
        isTellingBeside(text, parts) &&
        !isOfRelease(text, text === first.text ? (metadata.title ?? '').trim().slice(text.length) : ''),
    ) ??
    names.find((text, index) => letters(text) === letters(parts.at(-2)?.text ?? '') && index === 0) ??
    names.slice(0, 2).find((text) => isAkinToHost(text, url) && isBesideHeading(text))
  )
}

function isTellingBeside(name: string, parts: readonly TitlePart[]): boolean {
  return parts.some(({ text }) => text !== name && tellingWords(text).length > 0)
}

function isHeading(text: string, { headings }: PreviewedPage['metadata']): boolean {
  return headings.some((heading) => letters(heading.text) === letters(text))
}

/** The only heading of the first level and the title for networks, as letters. */
function ownTitles(page: TitledPage): ReadonlySet<string> {
  const first = page.metadata.headings.filter(({ level }) => level === 1)
  const heading = first.length === 1 ? first.map(({ text }) => text) : []
  const declared = metaContents(page, 'og:title', 'name', 1)
  return new Set([...heading.filter((text) => !isSiteHeading(text, page)), ...declared].map(letters))
}

/** A front page is headed by its site, and so are all pages of blogs and forums that have their own title further below. */
function isSiteHeading(
  heading: string,
  { metadata: { title, headings, logoTexts }, url }: TitledPage,
): boolean {
  const parts = splitTitle(title)
  const second = new Set(headings.filter(({ level }) => level === 2).map(({ text }) => letters(text)))
  return (
    new URL(url).pathname === '/' ||
    (isHostName(heading, url) && isTellingBeside(heading, parts)) ||
    logoTexts.some((text) => letters(text) === letters(heading)) ||
    parts.some(({ text }) => second.has(letters(text)))
  )
}

export interface TitlePart {
  readonly text: string
  readonly cutBefore: number
  readonly cutBehind: number
}

/** A title without the part at its end, and without the one separator before that. */
export function before(title = '', { cutBefore }: TitlePart): string {
  return title.slice(0, cutBefore).trimEnd()
}

export function behind(title = '', { cutBehind }: TitlePart): string {
  return title.slice(cutBehind).trimStart()
}

export function titleParts(title: string | undefined): readonly string[] {
  return splitTitle(title)
    .map(({ text }) => text)
    .filter((text, index) => index === 0 || !signature.test(text))
}

/** The parts of a title that name an author: `How to write - by Ann Lee`. */
export function signaturesInTitle(title: string | undefined): readonly string[] {
  return splitTitle(title)
    .map(({ text }) => text)
    .filter((text, index) => index > 0 && signature.test(text))
}

const signature = /^(?:by|von|par|por|di|door|av|af)\s\p{Lu}/u

export function splitTitle(title: string | undefined): readonly TitlePart[] {
  const text = title?.slice(0, 500) ?? ''
  const parts: TitlePart[] = []
  let cutBefore = 0
  let start = 0
  function add(end: number, cutBehind: number): void {
    const part = cleanPageText(text.slice(start, end))
    if (part !== '' && !isPlaceholder(part)) parts.push({ text: part, cutBefore, cutBehind })
    cutBefore = end
    start = cutBehind
  }
  const separators = [...text.matchAll(separator)]
  // A colon beside other separators is one of the headline: `Deno 2.4: bundles are back | Deno`.
  const colons = separators.filter(([sign]) => sign.startsWith(':'))
  for (const match of colons.length < separators.length
    ? separators.filter((each) => !colons.includes(each))
    : colons)
    add(match.index, match.index + match[0].length)
  add(text.length, text.length)
  return parts
}

/** `BBC` for `British Broadcasting Corporation`, if the label is that. */
function initialsOf(text: string, label: string): string | undefined {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const isAcronym = words.length >= 3 && letters(words.map((word) => word.charAt(0)).join('')) === label
  return isAcronym ? letters(text).replace(/^the/, '') : undefined
}

/** Signs between the parts of a title. Those without spaces around them may be a part of a name: `--help`, `std::`, `~/x`. */
const separator =
  /\s(?:-{1,4}|[–—·•~]|:{1,3}|\/{1,3}|>{2,3})\s|[|»«›‹｜]+|(?<!:):\s(?![-–—·•~|/]+\s)|(?<=[\p{L}\p{N}])-{2,4}(?=[\p{L}\p{N}])|(?<=[\p{Script=Han}\p{Script=Katakana}])[-_—–](?=\p{Script=Han})/gu
const nameCharsMax = 60

const declared: readonly FieldRule<string>[] = [
  meta('og:site_name'),
  meta('application-name'),
  {
    source: 'jsonld:WebSite.name',
    find: ({ linkedData: { nodes } }) =>
      firstName(nodes.filter((node) => typesOf(node).includes('WebSite')).map(nameOf)),
  },
]

const publishers: readonly FieldRule<string>[] = [
  {
    source: 'jsonld:publisher.name',
    find: ({ linkedData: { primary, follow } }) =>
      firstName(asList(primary?.['publisher']).map((publisher) => nameOf(follow(publisher)))),
  },
  ...['dc.publisher', 'twitter:app:name:iphone'].map(meta),
]

export const siteNameRules: readonly FieldRule<string>[] = [
  ...declared.map((rule) => passing(rule, isNameOfSite)),
  { source: 'title', find: siteInTitle },
  ...publishers.map((rule) => passing(rule, isNameOfSite)),
  {
    source: 'logo',
    find: ({ metadata, url }) => metadata.logoTexts.flatMap(nameOfLogo).find((name) => fitsHost(name, url)),
  },
  { source: 'logo', find: namedInTitle },
  { source: 'title', find: besideHeading },
  { source: 'host', find: ({ url }) => new URL(url).hostname.replace(/^www\./, '') },
]

function namedInTitle({ metadata: { title, logoTexts } }: PreviewedPage): string | undefined {
  const parts = new Map(titleParts(title).map((part) => [letters(part), part] as const))
  const names = parts.size < 2 ? [] : logoTexts.flatMap(nameOfLogo)
  return names.map((name) => parts.get(letters(name))).find((part) => part !== undefined)
}

function besideHeading(page: PreviewedPage): string | undefined {
  const parts = titleParts(page.metadata.title)
  const [first = '', last = ''] = [parts[0], parts.at(-1)].map((part) => letters(part ?? ''))
  const headings = new Set(
    [meta('og:title').find(page) ?? '', ...page.metadata.headings.map(({ text }) => text)].map(letters),
  )
  return first !== '' && headings.has(first) && !headings.has(last)
    ? parts.at(-1)?.slice(0, nameCharsMax)
    : undefined
}

export function siteNameTest(page: Omit<PreviewedPage, 'isSiteName'>): PreviewedPage['isSiteName'] {
  let names: ReadonlySet<string> | undefined
  return (text) => {
    if (text.length > nameCharsMax) return false
    names ??= new Set(siteNames(page).map(plainName))
    return names.has(plainName(text))
  }
}

function siteNames(page: Omit<PreviewedPage, 'isSiteName'>): readonly string[] {
  const host = new URL(page.url).hostname.replace(/^www\./, '')
  const nameless = { ...page, isSiteName: () => false }
  const found = [...declared, ...publishers].map(({ find }) => find(nameless))
  const title = letters(page.metadata.title ?? '')
  return [
    host,
    ...host.split('.').filter((label) => label.length > 2),
    siteInTitle(page),
    ...found,
    ...found.filter((name = '') => letters(name) !== title).map(withoutSlogan),
  ].filter((name) => name !== undefined)
}

function plainName(text: string): string {
  const words = text.replace(/^the\s/i, '').replace(companyWords, '')
  return letters(words) || letters(text)
}

const companyWords =
  /(?:\.(?:com|org|net|de|fr|co\.uk)| (?:staff|team|news(?:room)?|online|editors?|editorial(?: (?:team|staff|board))?|redaktion|rédaction|redacción|redazione|press release|inc|ltd|gmbh|llc)\.?)+$/i

/** The name of a site that its slogan follows: `Acme Times` of `Acme Times - news you need`. */
export function withoutSlogan(name: string | undefined): string | undefined {
  return titleParts(name)[0]
}

function isName(text: string): boolean {
  return !/^(?:https?:|www\.|@)/i.test(text)
}

/** Some pages name themselves there, or the program that wrote them. */
function isNameOfSite(text: string, { metadata: { title }, contents, url }: PreviewedPage): boolean {
  const name = letters(text)
  const isTitle = name === letters(title ?? '') && titleParts(title).length > 1
  const [generator = ''] = metaContents({ contents }, 'generator', 'name', 1)
  return (
    isName(text) && !isTitle && (letters(generator.split(/[\s/]/)[0] ?? '') !== name || fitsHost(text, url))
  )
}

function nameOfLogo(text: string): readonly string[] {
  const name = nonEmptyText(text.replace(/\b(?:logo|home ?page|home)\b/gi, ''))
  return name === undefined || name.length > nameCharsMax || !isName(name) ? [] : [name]
}

function firstName(names: readonly (string | undefined)[]): string | undefined {
  return names.find((name) => name !== undefined && isName(name))
}
