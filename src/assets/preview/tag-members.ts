import { decodeHTMLStrict } from 'entities'
import { percentDecode } from '../../lib/percent-decode.ts'
import { nonEmptyText } from './clean-text.ts'
import type { PreviewedPage } from './rule.ts'

/**
 * The values that a page gives to names with a prefix such as `og:`. Texts are unchanged. Any value that may be an
 * address is left out unless it leads to a public host by http or https.
 */
export function tagMembers(
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
/** Names of addresses. */
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

/**
 * A text without white space and control characters, and what becomes of it when a reader decodes it again as markup or
 * as part of a URL.
 */
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
