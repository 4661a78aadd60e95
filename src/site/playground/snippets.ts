import type { Asset } from '../../assets/kit/asset.ts'
import { headTags } from '../../client/head-tags.ts'
import { shareCardOf } from '../../client/share-card-of.ts'
import { longerOf } from '../../lib/fields.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'
import { fill, textParts } from '../../lib/texts.ts'
import source from '../texts/snippets.txt' with { type: 'text' }

const texts = textParts(source)

export interface Snippet {
  readonly id: string
  readonly label: string
  readonly code: string
}

export interface SnippetInput {
  readonly asset: Asset
  readonly origin: string
  /** The parameters of the asset, without credentials. */
  readonly query: URLSearchParams
  readonly url: string
  readonly alt: string
  readonly extension: string
  readonly size?: { readonly widthPx: number; readonly heightPx: number } | undefined
}

export function snippets(input: SnippetInput): readonly Snippet[] {
  const { url, asset, extension } = input
  const file = `${asset.id}.${extension}`
  const programs = [
    { id: 'curl', label: 'curl', code: `curl -fsS -o ${file} ${shellQuote(url)}` },
    { id: 'typescript', label: 'TypeScript', code: code('typescript', { url: quote(url), file }) },
    { id: 'python', label: 'Python', code: code('python', { url: quote(url), file }) },
  ]
  const address = { id: 'url', label: 'URL', code: url }
  return input.size === undefined
    ? [address, ...programs]
    : [address, ...markup(input), ...client(input), ...programs, ...builders(input)]
}

function markup({ url, alt, size }: SnippetInput): Snippet[] {
  const src = escapeHtml(url)
  const box = `width="${size?.widthPx}" height="${size?.heightPx}"`
  const card = shareCardOf(new URL(url))
  const image = { width: size?.widthPx ?? 0, height: size?.heightPx ?? 0, alt }
  const head = card && {
    id: 'head',
    label: 'Head tags',
    code: headTags({ url: card.url.href, type: card.type, ...image }),
  }
  return [
    { id: 'html', label: 'HTML', code: `<img src="${src}" ${box} alt="${escapeHtml(alt)}">` },
    ...(head ? [head] : []),
    { id: 'markdown', label: 'Markdown', code: `![${markdownText(alt)}](${markdownUrl(url)})` },
  ]
}

/** The client that sites import. It signs, so the address is for a page of one's own. */
function client({ asset, origin, query }: SnippetInput): Snippet[] {
  if (asset.priceMicros === undefined) return []
  const members = [...query].map(([name, value]) => `  ${propertyName(name)}: ${quote(value)},\n`)
  const call = quote(`${origin}${asset.path}`)
  return [{ id: 'client', label: 'Client', code: code('client', { origin, call, lines: members.join('') }) }]
}

/** For static site generators: the page's title replaces the first parameter. */
function builders({ origin, asset, query, alt }: SnippetInput): Snippet[] {
  const [first = 'title'] = Object.keys(asset.query.properties)
  const fixed = [...query].filter(([name]) => name !== first)
  const longer = longerOf(asset.query.properties[first] ?? {})
  const isSaid = longer === undefined || query.has(longer.parameter)
  const cut = isSaid ? [] : [[longer.parameter, longer.value]]
  const others = [...fixed, ...cut, ...(asset.priceMicros === undefined ? [] : [['demo', '1']])]
  const members = others.map(([name = '', value = '']) => `${propertyName(name)}: ${quote(value)}`)
  const call = `${origin}${asset.path}`
  const text = quote(query.get(first) ?? alt)
  const values = { call, text, members: [`${propertyName(first)}: title`, ...members].join(', ') }
  const words = [quote(first), '.Title', ...others.flat().map((word) => quote(word ?? ''))].join(' ')
  return [
    { id: 'astro', label: 'Astro', code: code('astro', values) },
    { id: 'eleventy', label: 'Eleventy', code: code('eleventy', values) },
    { id: 'hugo', label: 'Hugo', code: code('hugo', { call, words }) },
  ]
}

function code(name: string, values: Readonly<Record<string, string>>): string {
  return fill(texts.get(name) ?? '', values)
}

function propertyName(name: string) {
  return /^[a-z]\w*$/i.test(name) ? name : quote(name)
}

/** A string literal in TypeScript, Python and Go. */
function quote(text: string): string {
  return JSON.stringify(text)
}

function markdownText(text: string): string {
  return text.replace(/[\\[\]`*_<>]/g, '\\$&')
}

/** Parentheses end a Markdown address, so they are percent-encoded. */
function markdownUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29')
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
