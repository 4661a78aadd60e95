import { getDomainWithoutSuffix } from 'tldts'
import { nonEmptyText } from './clean-text.ts'
import { isPlaceholder } from './placeholder.ts'

/** Whether a text is the name of the site at this URL, by what the host is called: `The Verge` at theverge.com. */
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
