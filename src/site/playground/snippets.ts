import type { Asset } from '../../assets/kit/asset.ts'
import { headTags } from '../../client/head-tags.ts'
import { shareCardOf } from '../../client/share-card-of.ts'
import { longerOf } from '../../lib/fields.ts'
import { escapeHtml } from '../../lib/jsx/markup.ts'

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
  /** Absolute URL that works when pasted. */
  readonly url: string
  readonly alt: string
  readonly extension: string
  /** Undefined if the asset is no picture. */
  readonly size?: { readonly widthPx: number; readonly heightPx: number } | undefined
}

export function snippets(input: SnippetInput): readonly Snippet[] {
  const { url, asset, extension } = input
  const file = `${asset.id}.${extension}`
  const programs = [
    { id: 'curl', label: 'curl', code: `curl -fsS -o ${file} ${shellQuote(url)}` },
    { id: 'typescript', label: 'TypeScript', code: typescript(url, file) },
    { id: 'python', label: 'Python', code: python(url, file) },
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
  const code = `// npm install ${origin}/client.tgz
import { embedUrl } from 'mintmark'

const { MINTMARK_KEY: key, MINTMARK_SECRET: secret } = process.env
const address = await embedUrl(${quote(`${origin}${asset.path}`)}, {
${members.join('')}}, { key, secret })`
  return [{ id: 'client', label: 'Client', code }]
}

function typescript(url: string, file: string): string {
  return `import { writeFile } from 'node:fs/promises'

const answer = await fetch(${quote(url)})
if (!answer.ok) throw new Error(await answer.text())
await writeFile('${file}', await answer.bytes())`
}

function python(url: string, file: string): string {
  return `from urllib.request import urlopen

with urlopen(${quote(url)}) as answer, open('${file}', 'wb') as file:
    file.write(answer.read())`
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
  function parameters(word: string) {
    return [`${propertyName(first)}: ${word}`, ...members].join(', ')
  }
  return [
    {
      id: 'astro',
      label: 'Astro',
      code: `---
const { title = ${quote(query.get(first) ?? alt)} } = Astro.props
const query = new URLSearchParams({ ${parameters('title')} })
---
<img src={\`${call}?\${query}\`} alt={title}>`,
    },
    {
      id: 'eleventy',
      label: 'Eleventy',
      code: `// eleventy.config.js
export default function (config) {
  config.addShortcode('mint', (title) => {
    const query = new URLSearchParams({ ${parameters('title')} })
    return \`${call}?\${query}\`
  })
}
// in a page: <img src="{% mint title %}" alt="{{ title }}">`,
    },
    {
      id: 'hugo',
      label: 'Hugo',
      code: `{{ $query := querify ${[quote(first), '.Title', ...others.flat().map((word) => quote(word ?? ''))].join(' ')} }}
<img src="${call}?{{ $query | safeURL }}" alt="{{ .Title }}">`,
    },
  ]
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
