import { type HostileText, hostileTexts } from './hostile-texts.ts'

const origin = 'https://site.example.com'

/** A text for each reader of pages and sites that keeps it busy longer than others of its length. */
export const worstPages: readonly HostileText[] = [
  ...hostileTexts,
  ...pagesOf([
    ['sections of a drawing', () => `<svg><![CDATA[${'>'.repeat(2_000_000)}`],
    ['ends of sections that are none', () => `<svg><![CDATA[${']]'.repeat(1_000_000)}`],
    ['ends of scripts that are none', () => `<script>${'</scripts>'.repeat(200_000)}`],
    ['microdata', () => '<b itemprop="name author datePublished">x</b>'.repeat(40_000)],
    ['microdata in microdata', () => '<b itemscope itemprop="author"><b itemprop="name">x'.repeat(40_000)],
    ['times', () => '<time datetime="2020-01-01">1 May 2020</time>'.repeat(40_000)],
    ['headings', () => `<title>${'a b '.repeat(1_000)}</title>${'<h2>a b c d e f</h2>'.repeat(90_000)}`],
    ['list of articles', () => '<article><h2>A</h2><time>1 May 2020</time></article>'.repeat(35_000)],
    ['links with texts', () => many(40_000, (at) => `<a href="/${at}">text ${at}</a>`)],
    ['links in one another', () => '<a href="/x"><h1>x'.repeat(100_000)],
    ['link of many lines', () => `<a href="/x">${'x<br>'.repeat(400_000)}`],
    ['templates of a title', () => `<meta property="og:title" content="${'{{'.repeat(4_000)}">`.repeat(200)],
    ['description tags', () => `<meta name="description" content="${'&lt;b '.repeat(1_300)}">`.repeat(200)],
    ['linked data of escapes', () => `<script type="application/ld+json">{"a":"${'\\'.repeat(120_000)}`],
    ['linked data of comments', () => `<script type="application/ld+json">{${'/*'.repeat(60_000)}`],
    [
      'linked data of objects',
      () =>
        `<script type="application/ld+json">[${'{"@type":"Person","name":"A"},'.repeat(8_000)}{}]</script>`,
    ],
    ['alternates', () => many(20_000, (at) => `<link rel="alternate" hreflang="l${at}" href="/${at}">`)],
    ['oEmbed', () => '<link rel="alternate" type="application/json+oembed" href="/o">'.repeat(30_000)],
    ['refreshes', () => '<meta http-equiv="refresh" content="0;url=/x">'.repeat(40_000)],
  ]),
]

/** Sitemaps that keep their reader busy; `{}` in an entry is its number. */
export const worstSitemaps: readonly HostileText[] = [
  ...pagesOf([
    ['languages', () => urlset(5_000, (at) => loc(at) + many(24, (to) => language(at, to)))],
    [
      'languages of other hosts',
      () => urlset(9_000, () => `<loc>https://a.example/</loc>${many(12, (to) => language(0, to))}`),
    ],
    ['pictures', () => urlset(1_500, (at) => loc(at) + picture.repeat(100))],
    ['entries that are one', () => urlset(300_000, () => `<loc>${origin}/</loc>`)],
    ['entries of other hosts', () => urlset(200_000, (at) => `<loc>https://o${at}.example/</loc>`)],
    ['entries without an address', () => urlset(300_000, () => '<loc>http://</loc>')],
    [
      'long entries of other hosts',
      () => urlset(20_000, () => `<loc>https://o.example/${'a'.repeat(2_000)}</loc>`),
    ],
    ['character references', () => urlset(9_000, (at) => loc(`?${'&amp;'.repeat(800)}${at}`))],
    ['sections', () => urlset(4_800, (at) => `<loc><![CDATA[${origin}/${'&'.repeat(4_000)}${at}]]></loc>`)],
    [
      'pieces of sections',
      () => urlset(1_000, (at) => `${loc(at)}<image:image><image:loc>${'<![CDATA[a]]>'.repeat(3_000)}`),
    ],
    ['attributes', () => urlset(1_000, (at) => `${loc(at)}<x ${'a="b" '.repeat(3_000)}/>`)],
    ['tiny elements', () => urlset(4_000, (at) => loc(at) + '<a/>'.repeat(250))],
    ['ends', () => urlset(20, (at) => loc(at) + '</x>'.repeat(250_000))],
    ['declarations', () => urlset(20, (at) => loc(at) + '<!x>'.repeat(250_000))],
    ['comments', () => urlset(1_000, (at) => loc(at) + '<!-- -->'.repeat(3_000))],
    ['words between entries', () => urlset(30, (at) => loc(at) + 'x'.repeat(1_000_000))],
    [
      'dates',
      () => urlset(100_000, () => `<loc>${origin}/</loc><lastmod>Thu, 01 Feb 2024 10:00:00 GMT</lastmod>`),
    ],
    ['lines', () => many(300_000, (at) => `http://o.example/${at}\n`)],
    ['lines without an address', () => many(30, (at) => `${'x\n'.repeat(400_000)}${origin}/${at}\n`)],
    [
      'sitemaps',
      () => `<sitemapindex>${many(300_000, (at) => `<sitemap><loc>${origin}/${at}.xml</loc></sitemap>`)}`,
    ],
  ]),
]

const picture = `<image:image><image:loc>${origin}/a.png</image:loc></image:image>`

function pagesOf(pages: readonly (readonly [id: string, text: () => string])[]): readonly HostileText[] {
  return pages.map(([id, text]) => ({ id, text }))
}

function many(count: number, text: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join('')
}

function urlset(count: number, entry: (at: number) => string): string {
  return `<urlset>${many(count, (at) => `<url>${entry(at)}</url>`)}</urlset>`
}

function loc(path: number | string): string {
  return `<loc>${origin}/${path}</loc>`
}

function language(page: number, to: number): string {
  return `<xhtml:link rel="alternate" hreflang="l${to}" href="${origin}/l${to}/page-with-a-usual-name-${page}"/>`
}
