import assert from 'node:assert/strict'
import { MetadataCollector } from '../../../src/assets/preview/metadata-collector.ts'
import {
  createPageParser,
  type ParsedPreview,
  parsePreview,
} from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'

type Expected = Partial<Record<keyof ParsedPreview, unknown>>

function linked(data: unknown) {
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`
}

const defaultIcon = { url: 'https://site.example.com/favicon.ico', sizes: null, rel: 'default' }

/** A page, and fields of its preview. Each line is a rule that sites rely on. */
const rules: readonly (readonly [rule: string, html: string, expected: Expected])[] = [
  [
    'a noscript fallback is not the description',
    `<noscript><p>${'Please enable scripts to read this page. '.repeat(3)}</p></noscript>`,
    { description: null },
  ],
  [
    'the second title counts when the first is empty',
    '<title> </title><title>Second</title>',
    { title: 'Second' },
  ],
  ['a title that never ends is still a title', '<title>Endless', { title: 'Endless' }],
  [
    'the theme colour is a colour as CSS writes it, the first of those that are',
    '<meta name="theme-color" content="var(--brand)"><meta name="theme-color" content="hsl(210deg 50% 40% / 90%)">' +
      '<meta name="theme-color" content="#000">',
    { theme_color: 'hsl(210deg 50% 40% / 90%)' },
  ],
  [
    'what is no colour is no theme colour',
    '<meta name="theme-color" content="brand">',
    { theme_color: null },
  ],
  [
    'scripts cannot fake a heading',
    '<h1>Real<script>document.write("fake")</script></h1>',
    { title: 'Real' },
  ],
  [
    'angle brackets stay escaped when text is decoded twice',
    '<meta property="og:title" content="&amp;lt;b&amp;gt; &amp;amp; co">',
    { title: '&lt;b&gt; & co' },
  ],
  [
    'character references are read in titles and values, as browsers do',
    '<title>&Ouml;l &amp &notit; <&lt; &#x1F389;</title><meta name="description" content="?a=1&copy=2&copy; &#8212;">',
    { title: 'Öl & ¬it; << 🎉', description: '?a=1&copy=2© —' },
  ],
  [
    'scripts have no character references',
    '<script type="application/ld+json">{"@type":"Article","headline":"a &\\u0061mp; b"}</script>',
    { title: 'a & b' },
  ],
  [
    'names count in any case, of ASCII letters alone',
    '<META PROPERTY="og:title" Content="Right"><lin\u212A rel="canonical" href="/wrong"><meta name="description" \u212Aontent="x">',
    { title: 'Right', canonical: null, description: null },
  ],
  ['bidi overrides do not reach the reader', '<title>safe\u202egpj.exe</title>', { title: 'safegpj.exe' }],
  [
    'links to scripts and data never leave',
    '<base href="javascript:alert(1)"><meta property="og:image" content="javascript:alert(1)"><link rel="icon" href="data:image/png;base64,AA"><link rel="canonical" href="file:///etc/passwd">',
    { image: null, icons: [defaultIcon], canonical: null },
  ],
  [
    'links with credentials never leave',
    '<link rel="canonical" href="https://user:secret@site.example.com/">',
    { canonical: null },
  ],
  [
    'the first base counts',
    '<base href="/one/"><base href="/two/"><link rel="canonical" href="x">',
    { canonical: 'https://site.example.com/one/x' },
  ],
  [
    'html lang outranks the locale',
    '<html lang="pt-br"><meta property="og:locale" content="en_US">',
    { lang: 'pt-BR' },
  ],
  [
    'a language that is none is passed over',
    '<html lang="english language"><meta property="og:locale" content="fr_FR">',
    { lang: 'fr-FR' },
  ],
  ['a page that is XHTML says its language in its own way', '<html xml:lang="fr">', { lang: 'fr' }],
  ['the language of HTML outranks that of XML', '<html xml:lang="fr" lang="de">', { lang: 'de' }],
  [
    'a page is called what its microdata call it rather than what its heading says',
    '<meta itemprop="name" content="Named"><h1>Heading</h1>',
    { title: 'Named' },
  ],
  [
    'microdata outrank the name in JSON-LD, and a title outranks both',
    `<meta itemprop="name" content="Named">${linked({ '@type': 'Product', name: 'Linked' })}`,
    { title: 'Named' },
  ],
  [
    'a title outranks the microdata',
    '<meta itemprop="name" content="Named"><title>Title</title>',
    { title: 'Title' },
  ],
  [
    'the name of a part is not the name of the page',
    '<div itemprop="author" itemscope><meta itemprop="name" content="Ann Lee"></div><h1>Heading</h1>',
    { title: 'Heading' },
  ],
  [
    'the address of a linked name or headline is no title',
    '<a itemprop="name headline" href="/x">Somewhere</a><h1>Heading</h1>',
    { title: 'Heading' },
  ],
  ['direction is what the page says', '<html dir="RTL">', { dir: 'rtl' }],
  [
    'a day stays a day',
    '<meta property="article:published_time" content="2021-07-20">',
    { published: '2021-07-20' },
  ],
  [
    'a time without a zone gets none',
    '<meta property="article:published_time" content="2021-07-20 05:30">',
    { published: '2021-07-20T05:30:00' },
  ],
  [
    'a zone without a colon is a zone',
    '<meta property="article:published_time" content="2021-07-20T05:30:22+0200">',
    { published: '2021-07-20T03:30:22.000Z' },
  ],
  [
    'a mail date is a date',
    '<meta name="date" content="Tue, 20 Jul 2021 05:30:22 GMT">',
    { published: '2021-07-20T05:30:22.000Z' },
  ],
  ['an English date is a day', '<meta name="date" content="February 25, 2021">', { published: '2021-02-25' }],
  ['a day that no calendar has is no date', '<meta name="date" content="2021-02-30">', { published: null }],
  ['a word is no date', '<meta name="date" content="yesterday">', { published: null }],
  [
    'several author tags are several authors',
    '<meta name="author" content="By Ann Lee"><meta name="author" content="Bo Ek">',
    { authors: ['Ann Lee', 'Bo Ek'], author: 'Ann Lee' },
  ],
  [
    'a microdata author is the name inside it',
    '<p itemprop="author" itemscope itemtype="https://schema.org/Person">By <a itemprop="url" href="/x"><span itemprop="name">Ann Lee</span></a>, editor</p>',
    { author: 'Ann Lee' },
  ],
  ['a link to the author names them', '<a rel="author" href="/ann">Ann Lee</a>', { author: 'Ann Lee' }],
  [
    'authors of comments are not authors',
    '<div class="comments"><span class="comment-author">Troll</span><b itemprop="author">Troll</b></div>',
    { author: null },
  ],
  [
    'the node that the page is about speaks',
    linked({
      '@graph': [
        { '@type': 'Organization', name: 'Org' },
        { '@type': 'WebPage', name: 'Page' },
        { '@type': 'NewsArticle', headline: 'News', author: { '@id': '#ann' } },
        { '@id': '#ann', '@type': 'Person', name: 'Ann Lee' },
      ],
    }),
    {
      title: 'News',
      author: 'Ann Lee',
      type: 'article',
      jsonld: { types: ['Organization', 'WebPage', 'NewsArticle', 'Person'] },
    },
  ],
  [
    'an organisation is not the page',
    linked({ '@type': 'Organization', name: 'Org', logo: '/logo.png' }),
    { title: null, logo: 'https://site.example.com/logo.png' },
  ],
  [
    'a list of one is one',
    linked({
      '@type': ['Article'],
      headline: ['One'],
      image: [{ '@type': 'ImageObject', url: '/i.png', width: 640, height: '480px' }],
    }),
    {
      title: 'One',
      image: {
        url: 'https://site.example.com/i.png',
        secure_url: 'https://site.example.com/i.png',
        type: null,
        width: 640,
        height: 480,
        alt: null,
        source: 'jsonld:image',
      },
    },
  ],
  [
    'a web site is one however its type is written',
    linked({ '@type': ['WebSite'], name: 'Site' }),
    { site_name: 'Site' },
  ],
  [
    'the address of a vocabulary in front of a type changes nothing',
    linked({ '@type': 'https://schema.org/WebSite', name: 'Site' }),
    { site_name: 'Site' },
  ],
  [
    'a publisher may be a plain name',
    linked({ '@type': 'Article', publisher: 'Press' }),
    { site_name: 'Press' },
  ],
  [
    'of several publishers the first with a name names the site',
    linked({
      '@type': 'Article',
      publisher: ['https://press.example.com/', { '@type': 'Organization', name: 'Press' }],
    }),
    { site_name: 'Press' },
  ],
  [
    'linked data that cannot be read is passed over',
    `<script type="application/ld+json">not json</script>${linked({ '@type': 'Article', headline: 'Next' })}`,
    { title: 'Next' },
  ],
  [
    'the largest icon is the icon',
    '<link rel="shortcut icon" href="/f.ico"><link rel="icon" sizes="32x32 64x64" href="/64.png"><link rel="mask-icon" href="/m.svg">',
    { icon: { url: 'https://site.example.com/64.png', sizes: '32x32 64x64', rel: 'icon' } },
  ],
  [
    'oembed and alternates are told apart from feeds',
    '<link rel="alternate" type="application/json+oembed" href="/o"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml" href="/r">',
    {
      oembed: { url: 'https://site.example.com/o', format: 'json' },
      alternates: [{ url: 'https://site.example.com/de', lang: 'de' }],
      feeds: [{ url: 'https://site.example.com/r', type: 'application/rss+xml', title: null }],
    },
  ],
  ['keywords become tags', '<meta name="keywords" content="a, b ,,a">', { tags: ['a', 'b'] }],
  [
    'robots of the page and of the header are both told',
    '<meta name="robots" content="noindex">',
    { robots: { meta: 'noindex', header: 'none' } },
  ],
  [
    'a lazy picture is its real source',
    '<img src="data:image/gif;base64,R0" data-src="/real.jpg" width="640" height="480">',
    {
      image: {
        url: 'https://site.example.com/real.jpg',
        secure_url: 'https://site.example.com/real.jpg',
        type: null,
        width: 640,
        height: 480,
        alt: null,
        source: 'img',
      },
    },
  ],
  [
    'the largest variant stands in for a placeholder',
    '<img src="data:image/gif;base64,R0" srcset="/s.jpg 480w, /l.jpg 1200w" width="600" height="400">',
    {
      sources: { type: 'default', image: 'img', site_name: 'host' },
      images: [
        {
          url: 'https://site.example.com/l.jpg',
          secure_url: 'https://site.example.com/l.jpg',
          type: null,
          width: 600,
          height: 400,
          alt: null,
          source: 'img',
        },
      ],
    },
  ],
  [
    'the time in the one article of a page is its date',
    '<nav><time datetime="1999-01-01"></time></nav><article><time datetime="2024-02-03">yesterday</time><div class="comments"><time datetime="2025-01-01"></time></div></article>',
    { published: '2024-02-03' },
  ],
  [
    'the date of a comment is not the date of the page, however it is marked',
    '<article><p>text</p><section id="comments"><time pubdate datetime="2020-05-05T00:00:00Z"></time></section></article>',
    { published: null },
  ],
  [
    'a time marked as the date of publication is the date',
    '<time datetime="1999-01-01"></time><time pubdate datetime="2020-05-05">May</time>',
    { published: '2020-05-05' },
  ],
  [
    "times in a list of articles are nobody's",
    '<article><time datetime="2024-02-03"></time></article><article><time datetime="2024-02-04"></time></article>',
    { published: null },
  ],
  [
    'an empty canonical link gives way to the next',
    '<link rel="canonical" href=""><link rel="canonical" href="/real">',
    { canonical: 'https://site.example.com/real' },
  ],
  [
    'a styled line with a date in it names nobody',
    '<p class="byline">25 février 2021</p><p class="post-author">Bo Ek</p>',
    { author: 'Bo Ek' },
  ],
  [
    'a player card gives its player and its stream',
    '<meta name="twitter:player" content="/embed"><meta name="twitter:player:stream" content="/a.mp4"><meta name="twitter:player:stream:content_type" content="video/mp4; codecs=x">',
    {
      player: 'https://site.example.com/embed',
      videos: [
        {
          url: 'https://site.example.com/a.mp4',
          secure_url: 'https://site.example.com/a.mp4',
          type: 'video/mp4',
          width: null,
          height: null,
        },
      ],
    },
  ],
  [
    'sources tell which tag won',
    '<meta name="twitter:title" content="T"><meta name="description" content="D">',
    {
      sources: {
        type: 'default',
        title: 'twitter:title',
        description: 'meta:description',
        site_name: 'host',
      },
    },
  ],
  [
    'a refresh is a warning',
    '<meta http-equiv="refresh" content="0; url=/next">',
    { refresh: 'https://site.example.com/next', warnings: ['meta_refresh'] },
  ],
  [
    'raw tags are there without their prefix',
    '<meta property="og:price:amount" content="5"><meta name="twitter:card" content="summary">',
    { og: { 'price:amount': '5' }, twitter: { card: 'summary' } },
  ],
]

function preview(html: string, contentType = 'text/html; charset=utf-8', extra: Record<string, string> = {}) {
  return parsePreview(Buffer.from(html), {
    url: 'https://site.example.com/a/page.html',
    headers: { 'content-type': contentType, 'x-robots-tag': 'none', ...extra },
  })
}

function random(seed: number) {
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}

const titlePieces = [
  '<meta property="og:title" content="',
  '<meta name="description" content=\'',
  '"',
  "'",
  '>',
  '<',
  '</',
  '<title>',
  '</title>',
  '<script type="application/ld+json">',
  '</script>',
  '{"@type":"Article","headline":"x"}',
  '{"@graph":[',
  '<link rel="icon" href="',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://cdn.example.com/a.png',
  '//x',
  'http://[',
  '<base href="',
  '<img src="',
  ' width="300" height="300"',
  '<p>',
  '</p>',
  '<h1>',
  '<svg>',
  '<template>',
  '&amp;',
  '&#x0;',
  '&#55296;',
  '\0',
  '\ud800',
  '<!--',
  '-->',
  '<![CDATA[',
  '2021-01-01',
  'itemprop="author"',
  '<video poster="',
  '<meta property="og:image" content="',
  '<link rel="alternate" hreflang="de" href="',
  '<span class="author">',
  '<body>',
  '</head>',
  'é',
  '日本',
]

function randomPage(seed: number) {
  const next = random(seed)
  return Array.from(
    { length: 1 + Math.floor(next() * 80) },
    () => titlePieces[Math.floor(next() * titlePieces.length)],
  ).join('')
}

function urlsIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return urlKeys.has(key) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => urlsIn(inner, Array.isArray(value) ? key : name))
}

const urlKeys = new Set(['url', 'secure_url', 'canonical', 'player', 'logo', 'manifest', 'refresh'])

function factsOf(pieces: readonly string[]) {
  const collector = new MetadataCollector()
  for (const piece of pieces) collector.write(piece)
  collector.end()
  return collector.metadata
}

/** A Link header, and the canonical URL that it gives. */
const linkHeaders: readonly (readonly [header: string, canonical: string | null])[] = [
  ['</b>; rel="canonical"', '/b'],
  ['</b>; rel=canonical', '/b'],
  ['</b>;REL = "shortlink Canonical"', '/b'],
  ['</a>; rel="preload", </b>; rel="canonical"', '/b'],
  ['</a>; rel="preload", </b>; title="rel=canonical"', null],
  ['</a>; rel=preload; title="</b>; rel=canonical, </c>; rel=canonical"', null],
  ['</a>; title="\\"; rel=canonical", </b>; rel=next', null],
  ['</c?a,b>; type="text/html, x"; rel="canonical"', '/c?a,b'],
  ['</a>; rel=next; rel=canonical', null],
  ['</a>; rel=canonical; anchor="/other"', null],
  ['</a>; rel=noncanonical', null],
  ['rel=canonical', null],
]

/** A Content-Disposition header of https://site.example.com/a/page.bin, and the name that the file gets. */
const fileNames: readonly (readonly [disposition: string, title: string])[] = [
  ['attachment; filename="good.zip"', 'good.zip'],
  ['attachment; filename=good one.zip; size=3', 'good one.zip'],
  ['filename=good.zip', 'good.zip'],
  ['attachment; filename="dir/good.zip"', 'good.zip'],
  ['attachment; filename="C:\\dir\\good.zip"', 'good.zip'],
  ['attachment; filename="dir/"', 'page.bin'],
  ['attachment; filename=""', 'page.bin'],
  ['attachment; filename="a\\"b;c.zip"', 'a"b;c.zip'],
  ['attachment; x-filename="bad.zip"; filename="good.zip"', 'good.zip'],
  ['attachment; title="; filename=bad.zip"; filename="good.zip"', 'good.zip'],
  ['attachment; filename="good.zip', 'good.zip'],
  ["attachment; filename*=ISO-8859-1''na%EFve.zip", 'naïve.zip'],
  ["attachment; filename=plain.zip; filename*=UTF-8'fr'na%C3%AFve.zip", 'naïve.zip'],
  ["attachment; filename*=nonsense''bad.zip; filename=plain.zip", 'plain.zip'],
  ["attachment; filename*=UTF-8''%FF.zip; filename=plain.zip", 'plain.zip'],
  ["attachment; filename*=UTF-8''dir%2F; filename=plain.zip", 'plain.zip'],
]

export const checks: readonly Check[] = [
  ...rules.map(
    ([name, html, expected]): Check => ({
      name,
      async run() {
        const got = await preview(html)
        for (const [key, want] of Object.entries(expected))
          assert.deepEqual(got[key as keyof ParsedPreview], want, key)
      },
    }),
  ),
  ...linkHeaders.map(
    ([link, canonical]): Check => ({
      name: `the canonical URL of Link: ${link}`,
      async run() {
        const got = await preview('', 'text/html', { link })
        assert.equal(got.canonical, canonical && `https://site.example.com${canonical}`)
      },
    }),
  ),
  ...fileNames.map(
    ([disposition, title]): Check => ({
      name: `the name of a file that is sent with ${disposition}`,
      async run() {
        const got = await parsePreview(new Uint8Array(), {
          url: 'https://site.example.com/a/page.bin',
          headers: { 'content-type': 'application/zip', 'content-disposition': disposition },
        })
        assert.equal(got.title, title)
      },
    }),
  ),
  {
    name: 'something that is no page is named after its file',
    async run() {
      const image = await preview('', 'image/png', {
        'content-disposition': "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.png",
      })
      assert.equal(image.title, 'résumé.png')
      assert.equal(image.type, 'image')
      assert.equal(image.image?.url, 'https://site.example.com/a/page.html')
      const pdf = await parsePreview(Buffer.from('%PDF'), {
        url: 'https://site.example.com/my%20file.pdf',
        headers: { 'content-type': 'application/pdf' },
      })
      assert.deepEqual([pdf.title, pdf.type, pdf.image], ['my file.pdf', 'file', null])
    },
  },
  {
    name: 'a title that came before the site went silent is worth an answer',
    async run() {
      const parser = createPageParser({
        url: 'https://site.example.com/',
        headers: {},
        contentType: 'text/html',
      })
      await parser.write(Buffer.from('<tit'))
      assert.equal(parser.isUseful(), false)
      await parser.write(Buffer.from('le>Größe</title><p>'))
      assert.equal(parser.isUseful(), true)
      assert.equal((await parser.finish()).fields.title, 'Größe')
    },
  },
  {
    name: 'a page says the same wherever it is cut into pieces',
    run() {
      const html =
        '<title>&CounterClockwiseContourIntegral; A&amp;B &notit</title><META name=description content="&#x1F389;&eacute">' +
        '<p class="byline">By &#65;da &amp Co</p><script type="application/ld+json">{"a":"&amp;"}</script><a href="/?a&amp;b">'
      const whole = factsOf([html])
      for (let cut = 1; cut < html.length; cut += 1)
        assert.deepEqual(factsOf([html.slice(0, cut), html.slice(cut)]), whole, html.slice(0, cut))
      assert.deepEqual(factsOf([...html]), whole)
    },
  },
  {
    name: 'two thousand random pages: every key is there and only web addresses leave',
    async run() {
      const keys = Object.keys(await preview('')).sort()
      for (let seed = 1; seed <= 2_000; seed += 1) {
        const html = randomPage(seed)
        const got = await preview(html)
        assert.deepEqual(Object.keys(got).sort(), keys, html)
        for (const url of urlsIn({ ...got, og: {}, twitter: {} })) assert.match(url, /^https?:\/\//, html)
        assert.ok(JSON.stringify(got).isWellFormed(), html)
      }
    },
  },
]
