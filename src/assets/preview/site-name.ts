import { getDomainWithoutSuffix } from 'tldts'
import { isJsonObject } from '../../lib/json.ts'
import { asList, textOf, typesOf } from './linked-data.ts'
import { isPlaceholder, nonEmptyText } from './page-text.ts'
import { type FieldRule, meta, type PreviewedPage, passing } from './rule.ts'

/** Returns whether a text is the name of the site at this URL, by what the host is called: `The Verge` at theverge.com. */
export function fitsHost(text: string, url: string): boolean {
  const name = letters(text).replace(/^the/, '')
  const { host, label } = namesOfHost(url)
  if (name === '' || label === '') return false
  if (name === label || name === host || name === initialsOf(text, label)) return true
  return (name.length >= 4 && label.includes(name)) || (label.length >= 3 && name.includes(label))
}

/** The name of a host: whole, and without subdomains and suffix. */
function namesOfHost(url: string): { readonly host: string; readonly label: string } {
  if (url !== last.url) {
    const { hostname } = new URL(url)
    const label = getDomainWithoutSuffix(hostname, { allowPrivateDomains: true }) ?? hostname
    last = { url, host: letters(hostname.replace(/^www\./, '')), label: letters(label).replace(/^the/, '') }
  }
  return last
}

/** Each part of a title is compared with the same host. */
let last = { url: '', host: '', label: '' }

/** Letters and digits alone, in lower case, without accents. */
export function letters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const ascii = /^[ -~]*$/

/** The part of a title that names the site, the last one first. */
export function siteInTitle(title: string | undefined, url: string): string | undefined {
  const parts = titleParts(title)
  if (parts.length < 2) return undefined
  const isName = (part: string) => part.length <= nameCharsMax && fitsHost(part, url)
  return parts.findLast(isName)
}

export function titleParts(title: string | undefined): readonly string[] {
  return allTitleParts(title).filter((part, index) => index === 0 || !signature.test(part))
}

/** The parts of a title that name an author: `How to write - by Ann Lee`. */
export function signaturesInTitle(title: string | undefined): readonly string[] {
  return allTitleParts(title).filter((part, index) => index > 0 && signature.test(part))
}

const signature = /^(?:by|von|par|por|di|door|av|af)\s\p{Lu}/u

function allTitleParts(title: string | undefined): readonly string[] {
  const text = nonEmptyText(title?.slice(0, titleCharsMax)) ?? ''
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isPlaceholder(part))
}

/** `BBC` for `British Broadcasting Corporation`, if the label is that. */
function initialsOf(text: string, label: string): string | undefined {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const isAcronym = words.length >= 3 && letters(words.map((word) => word.charAt(0)).join('')) === label
  return isAcronym ? letters(text).replace(/^the/, '') : undefined
}

const separator =
  /\s[-–—:·•~/]+\s|[|»«›‹｜]+|:\s|-{2,4}|(?<=[\p{Script=Han}\p{Script=Katakana}])[-_—–](?=\p{Script=Han})/u
const titleCharsMax = 500
const nameCharsMax = 60

/** Where a page says what its site is called. */
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
  ...declared.map((rule) => passing(rule, isName)),
  { source: 'title', find: ({ metadata, url }) => siteInTitle(metadata.title, url) },
  ...publishers.map((rule) => passing(rule, isName)),
  {
    source: 'logo',
    find: ({ metadata, url }) => metadata.logoTexts.flatMap(nameOfLogo).find((name) => fitsHost(name, url)),
  },
  { source: 'logo', find: namedInTitle },
  { source: 'title', find: besideHeading },
  { source: 'host', find: ({ url }) => new URL(url).hostname.replace(/^www\./, '') },
]

/** A part of the title that the page also has in its logo, or as a link to the front page. */
function namedInTitle({ metadata: { title, logoTexts } }: PreviewedPage): string | undefined {
  const parts = new Map(titleParts(title).map((part) => [letters(part), part] as const))
  const names = parts.size < 2 ? [] : logoTexts.flatMap(nameOfLogo)
  return names.map((name) => parts.get(letters(name))).find((part) => part !== undefined)
}

/** The last part of a title whose first is the heading. */
function besideHeading(page: PreviewedPage): string | undefined {
  const parts = titleParts(page.metadata.title)
  const [first = '', last = ''] = [parts[0], parts.at(-1)].map((part) => letters(part ?? ''))
  const headings = new Set(
    [meta('og:title').find(page) ?? '', ...page.metadata.headings.map(({ text }) => text)].map(letters),
  )
  return headings.has(first) && !headings.has(last) ? parts.at(-1)?.slice(0, nameCharsMax) : undefined
}

/** Returns the test whether a text is one of the names of the site, of its publisher or of its host. */
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
  return [
    host,
    ...host.split('.').filter((label) => label.length > 2),
    siteInTitle(page.metadata.title, page.url),
    ...found,
  ].filter((name) => name !== undefined)
}

function plainName(text: string): string {
  const words = text.replace(/^the\s/i, '').replace(companyWords, '')
  return letters(words) || letters(text)
}

const companyWords =
  /(?:\.(?:com|org|net|de|fr|co\.uk)| (?:staff|team|news(?:room)?|online|editors?|editorial(?: (?:team|staff|board))?|redaktion|rédaction|redacción|redazione|press release|inc|ltd|gmbh|llc)\.?)+$/i

/** Some sites put their URL or their account there. */
function isName(text: string): boolean {
  return !/^(?:https?:|www\.|@)/i.test(text)
}

function nameOfLogo(text: string): readonly string[] {
  const name = nonEmptyText(text.replace(/\b(?:logo|home ?page|home)\b/gi, ''))
  return name === undefined || name.length > nameCharsMax ? [] : [name]
}

function firstName(names: readonly (string | undefined)[]): string | undefined {
  return names.find((name) => name !== undefined && isName(name))
}

function nameOf(node: unknown): string | undefined {
  return textOf(isJsonObject(node) && !('@value' in node) ? node['name'] : node)
}
