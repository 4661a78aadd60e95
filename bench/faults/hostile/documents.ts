import { gzipSync } from 'node:zlib'

/** One document of a hostile site, as the bytes of a whole HTTP answer. */
export interface HostileDocument {
  readonly what: string
  readonly answer: Uint8Array
}

const mebibyte = 2 ** 20
function fill(piece: string, bytes = mebibyte) {
  return piece.repeat(Math.ceil(bytes / piece.length))
}

/**
 * 4096 characters, so that a reader that looks at its depth after each piece sees a small one: it counts only the first
 * openings, and the last closings take those back. In between stand closings of what is not open, each a search.
 */
const countEvader = `${'<a>'.repeat(700)}${'</b>'.repeat(480)}${'</a>'.repeat(19)}`

/** Closes of levels that were never opened: what counts depth by them is misled. */
const xmlTexts: Readonly<Record<string, string>> = {
  'more openings than are counted, then closings': fill(countEvader),
  'closing tags that close nothing': fill('<a></b>', 2.5 * mebibyte),
  'closing tags beyond the root': `<urlset>${fill('</x></y><a>')}`,
  'deep elements': `<urlset>${fill('<url>')}`,
  'deep elements, closed': `<urlset>${'<url>'.repeat(60_000)}${'</url>'.repeat(60_000)}`,
  'a huge attribute': `<urlset a="${fill('a')}">`,
  'many attributes': `<urlset ${Array.from({ length: 90_000 }, (_, index) => `a${index}=""`).join(' ')}>`,
  'entities in entities': `<!DOCTYPE a [<!ENTITY a "${'&b;'.repeat(50)}"><!ENTITY b "${'&c;'.repeat(50)}">]><urlset><url><loc>&a;</loc></url></urlset>`,
  'a huge CDATA section': `<urlset><url><loc><![CDATA[${fill(']]')}`,
  'comments that never end': `<urlset>${fill('<!--')}`,
  'processing instructions': `<urlset>${fill('<?a ')}`,
  'one huge location': `<urlset><url><loc>${fill('a')}</loc></url></urlset>`,
  'many entities': `<urlset><url><loc>${fill('&amp;')}</loc></url></urlset>`,
}

const htmlTexts: Readonly<Record<string, string>> = {
  'deep divisions, then paragraphs': `${fill('<div>', mebibyte / 4)}${fill('</p>', mebibyte / 4)}`,
  'unclosed tables': fill('<table><td>'),
  'many metas': fill('<meta property="og:image" content="x">'),
  'JSON-LD of brackets': `<script type="application/ld+json">${fill('[', mebibyte / 4)}</script>`,
  'JSON-LD of references': `<script type="application/ld+json">{"@graph":[${Array.from({ length: 5000 }, (_, n) => `{"@id":"${n}","author":{"@id":"${n + 1}"}}`).join(',')}]}</script>`,
  'JSON-LD of commas': `<script type="application/ld+json">{${fill(',', mebibyte / 4)}</script>`,
  'open angle brackets': fill('<'),
  'attributes without end': `<p ${fill('a=" ')}`,
  'closing tags that close nothing': fill('<b></i>'),
  ampersands: `<title>${fill('&')}</title>`,
}

const robotsTexts: Readonly<Record<string, string>> = {
  'stars in a rule': `User-agent: *\nDisallow: /${'*a'.repeat(4000)}$\n`.repeat(30),
  'many groups': fill('User-agent: a\nDisallow: /\n', mebibyte / 2),
  'one long line': `User-agent: *\nDisallow: ${fill('/', mebibyte / 2)}`,
  'many sitemaps': fill('Sitemap: https://site.example.com/a.xml\n', mebibyte / 2),
}

const llmsTexts: Readonly<Record<string, string>> = {
  brackets: fill('[', mebibyte / 2),
  'links without end': fill('- [a](', mebibyte / 2),
  headings: fill('#', mebibyte / 2),
}

export const hostileSitemaps = documents(xmlTexts, 'application/xml')
export const hostilePages = documents(htmlTexts, 'text/html')
export const hostileRobots = documents(robotsTexts, 'text/plain')
export const hostileLlms = documents(llmsTexts, 'text/markdown')

function documents(texts: Readonly<Record<string, string>>, type: string): readonly HostileDocument[] {
  return Object.entries(texts).map(([what, text]) => {
    const body = gzipSync(text)
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    return { what, answer: Buffer.concat([Buffer.from(head), body]) }
  })
}
