import assert from 'node:assert/strict'
import {
  createPageParser,
  type ParsedPreview,
  parsePreview,
} from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'

type Expected = Partial<Record<keyof ParsedPreview, unknown>>

/** A page, fields of its preview, and its URL where that matters. Each line is one kind of page. */
type WildPage = readonly [kind: string, html: string, expected: Expected, url?: string]

const sentence = 'The harbour opened in 1889 and has moved more than nine million tonnes of grain since then.'

const dates: readonly WildPage[] = [
  ...(
    [
      ['de', 'Veröffentlicht am 7. März 2013 um 10 Uhr', '2013-03-07'],
      ['de', '07.03.2013', '2013-03-07'],
      ['de-AT', '3. Jänner 2017', '2017-01-03'],
      ['fr', 'Publié le 5 août 2013 à 17:08', '2013-08-05'],
      ['fr', '05/04/2013', '2013-04-05'],
      ['es', '12 de junio de 2014', '2014-06-12'],
      ['pt', '3 de março de 2015', '2015-03-03'],
      ['it', '21 gennaio 2016', '2016-01-21'],
      ['nl', '18 augustus 2013', '2013-08-18'],
      ['ru', '14 июня 2019, 12:00', '2019-06-14'],
      ['uk', '12 червня 2020', '2020-06-12'],
      ['pl', '3 września 2018', '2018-09-03'],
      ['cs', '15. srpna 2015', '2015-08-15'],
      ['tr', '12 Ağustos 2016', '2016-08-12'],
      ['fi', '4. heinäkuuta 2017', '2017-07-04'],
      ['el', '5 Μαρτίου 2019', '2019-03-05'],
      ['ar', '٧ يونيو ٢٠١٣', '2013-06-07'],
      ['vi', '2 tháng 3, 2019', '2019-03-02'],
      ['ja', '2013年6月7日', '2013-06-07'],
      ['zh', '发布时间：2012年12月10日 格林尼治', '2012-12-10'],
      ['ko', '기사입력 2013. 6. 7. 오전 3:00', '2013-06-07'],
      ['ko', '2013년 6월 7일', '2013-06-07'],
      ['en', 'Posted: Sept. 5th, 2012 | Comments (3)', '2012-09-05'],
      ['en', '06/07/2013 09:48:55 PM PDT', '2013-06-07'],
      ['en-GB', '06/07/2013', '2013-07-06'],
      ['en', '25/12/2013', '2013-12-25'],
      ['', '12 Kasım 2016', '2016-11-12'],
      ['en', 'yesterday', null],
      ['en', 'Room 2012', null],
    ] as const
  ).map(
    ([lang, text, published]): WildPage => [
      `the date ${text} in a page in ${lang || 'no language'}`,
      `<html lang="${lang}"><h1>Harbour</h1><span class="post-date">${text}</span>`,
      { published },
    ],
  ),
  ['a day in the path of the URL', '', { published: '2013-06-07' }, 'https://a.example/2013/06/07/grain'],
  [
    'a month by its name in the URL',
    '',
    { published: '2013-06-06' },
    'https://a.example/world/2013/jun/06/grain',
  ],
  [
    'a day in one number in the URL',
    '',
    { published: '2013-06-06' },
    'https://a.example/grain-20130606.html',
  ],
  ['a month in the URL is no day', '', { published: null }, 'https://a.example/2013/06/grain'],
  ['a number of an article is no day', '', { published: null }, 'https://a.example/201306061234/grain'],
  [
    'times that are all on one day',
    '<ul><li><time datetime="2020-02-03T09:00Z"></time><li><time datetime="2020-02-03T11:00Z"></time></ul>',
    { published: '2020-02-03T09:00:00.000Z' },
  ],
  [
    'times on several days',
    '<time datetime="2020-02-03"></time><time datetime="2020-02-04"></time>',
    { published: null },
  ],
  [
    'microdata whose date is text',
    '<span itemprop="datePublished">17 May 2014</span>',
    { published: '2014-05-17' },
  ],
  [
    'microdata whose date is a title',
    '<span itemprop="datePublished" title="2014-05-17">last week</span>',
    { published: '2014-05-17' },
  ],
  [
    'a date of hAtom',
    '<abbr class="published" title="2014-05-17T08:00:00Z">May</abbr>',
    { published: '2014-05-17T08:00:00.000Z' },
  ],
  [
    'the date nearest to the heading',
    '<div class="date">1 May 2011</div><ul><li>a<li>b<li>c<li>d</ul><h1>Harbour</h1><p class="date">7 June 2013</p><ul><li>e<li>f</ul><div class="date">9 July 2014</div>',
    { published: '2013-06-07' },
  ],
  [
    'a date in a sidebar is not that of the page',
    '<h1>Harbour</h1><p>a<p>b<p>c<p class="date">7 June 2013</p></p><div class="sidebar"><span class="date">1 May 2011</span></div>',
    { published: '2013-06-07' },
  ],
  [
    'a line below the heading',
    '<title>Harbour of grain</title><h1>Harbour of grain</h1><p>Updated: 9 June 2013<br>Published: 7 June 2013</p>',
    { published: '2013-06-07' },
  ],
  [
    'a page that only tells its last change',
    '<h1>Harbour</h1><p class="last-updated">9 June 2013</p>',
    { published: '2013-06-09', modified: '2013-06-09' },
  ],
  [
    'the time 0 of Unix is no date',
    '<meta property="article:published_time" content="1970-01-01T00:00:00Z"><meta name="date" content="1969-12-31T19:00:00-05:00">',
    { published: null },
  ],
  [
    'the day of a zone that is another in UTC',
    '<meta property="article:published_time" content="2021-07-20T23:30:00-07:00">',
    { published: '2021-07-20T23:30:00-07:00' },
  ],
  [
    'a date under a name of the program',
    '<meta name="cXenseParse:recs:publishtime" content="2021-07-20">',
    { published: '2021-07-20' },
  ],
]

const siteNames: readonly WildPage[] = [
  [
    'a part of the title that fits the host',
    '<title>Grain - The Harbour Post</title>',
    { site_name: 'The Harbour Post' },
    'https://www.harbourpost.co.uk/x',
  ],
  [
    'the other part of the title',
    '<title>Harbour Post: Grain</title>',
    { site_name: 'Harbour Post' },
    'https://harbourpost.com/x',
  ],
  [
    'a name of initials',
    '<title>Grain | Canadian Broadcasting Corporation</title>',
    { site_name: 'Canadian Broadcasting Corporation' },
    'https://cbc.ca/x',
  ],
  [
    'a part of the title that does not fit',
    '<title>Grain - and more</title>',
    { site_name: 'harbour.example' },
    'https://www.harbour.example/x',
  ],
  [
    'the publisher of linked data',
    '<script type="application/ld+json">{"@type":"NewsArticle","publisher":{"name":"Press"}}</script>',
    { site_name: 'Press' },
  ],
  [
    'the text of the logo',
    '<div class="site-logo"><a href="/"><img src="/l.png" alt="Harbour Post logo"></a></div>',
    { site_name: 'Harbour Post' },
    'https://harbourpost.com/x',
  ],
  [
    'the name in an app store',
    '<meta name="twitter:app:name:iphone" content="Harbour">',
    { site_name: 'Harbour' },
  ],
  [
    'an account is no name',
    '<meta property="og:site_name" content="@harbour"><meta name="application-name" content="Harbour">',
    { site_name: 'Harbour' },
  ],
  [
    'nothing but the host',
    '',
    { site_name: 'a.example', sources: { type: 'default', site_name: 'host' } },
    'https://www.a.example/',
  ],
]

function byline(text: string) {
  return `<h1>Harbour</h1><p class="byline">${text}</p>`
}

const authors: readonly WildPage[] = [
  ...['html', 'body', 'main', 'article'].map(
    (name): WildPage => [
      `no byline: a class of ${name}, which the whole page is in`,
      `<${name} class="columnists"><ul><li><a href="http://uk.example.com/">United Kingdom</a></li><li><a href="/la/">Los Angeles</a></li></ul><h1>Harbour</h1><p>${sentence}</p></${name}>`,
      { authors: [] },
    ],
  ),
  ['a link to a page of the author', '<a href="/author/ann-lee/">Ann Lee</a>', { authors: ['Ann Lee'] }],
  [
    'a label of a Twitter card',
    '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ann Lee">',
    { authors: ['Ann Lee'] },
  ],
  [
    'a label of a Twitter card for something else',
    '<meta name="twitter:label1" content="Reading time"><meta name="twitter:data1" content="Five Minutes">',
    { authors: [] },
  ],
  ['og:article:author', '<meta property="og:article:author" content="Ann Lee">', { authors: ['Ann Lee'] }],
  [
    'a Vietnamese name with a syllable that is a weekday in English',
    '<meta name="author" content="Nguyễn Thu Hà">',
    { authors: ['Nguyễn Thu Hà'] },
  ],
  [
    'a weekday with a day behind the name',
    '<p class="byline">By Ann Lee, Thu 3 May 2012</p>',
    { authors: ['Ann Lee'] },
  ],
  [
    'the second and third author, whom Ghost calls contributors',
    '<script type="application/ld+json">{"@type":"Article","author":{"@type":"Person","name":"Ann Lee"},"contributor":[{"@type":"Person","name":"Bo Chan"},{"@type":"Person","name":"Cy Diaz"}]}</script>',
    { authors: ['Ann Lee', 'Bo Chan', 'Cy Diaz'] },
  ],
  ['byl', '<meta name="byl" content="By ANN LEE and BO EK">', { authors: ['ANN LEE', 'BO EK'] }],
  [
    'the footer of an article',
    '<article><p>x</p><footer>by <a rel="author" href="/a">Ann Lee</a></footer></article>',
    { authors: ['Ann Lee'] },
  ],
  [
    'a class for several',
    '<div class="article-authors"><a href="/a">Ann Lee</a>, <a href="/b">Bo Ek</a></div>',
    { authors: ['Ann Lee', 'Bo Ek'] },
  ],
  ['a class of a link', '<a class="author-link" href="/a">Ann Lee</a>', { authors: ['Ann Lee'] }],
  [
    'a line below the heading that nothing marks',
    '<title>Harbour of grain</title><h1>Harbour of grain</h1><div>by Ann Lee on May 15, 2013 at 3:45 pm</div>',
    { authors: ['Ann Lee'], published: '2013-05-15' },
  ],
  [
    'the site as its own author',
    '<meta property="og:site_name" content="Harbour Post"><meta name="author" content="Harbour Post"><p class="byline">By Ann Lee</p>',
    { authors: ['Ann Lee'] },
  ],
  [
    'the publisher as author',
    '<script type="application/ld+json">{"@type":"NewsArticle","author":{"name":"Press Ltd"},"publisher":{"name":"Press"}}</script><a rel="author" href="/a">Ann Lee</a>',
    { authors: ['Ann Lee'] },
  ],
  [
    'the site, if nobody else is',
    '<meta property="og:site_name" content="Harbour Post"><meta name="author" content="Harbour Post">',
    { authors: ['Harbour Post'] },
  ],
  [
    'a host is no author',
    '<meta name="author" content="harbour.com">',
    { authors: [] },
    'https://harbour.com/',
  ],
  ...(
    [
      ['By Ann Lee', ['Ann Lee']],
      ['Von Ann Lee', ['Ann Lee']],
      ['Par Ann Lee et Bo Ek', ['Ann Lee', 'Bo Ek']],
      ['Por Ana Gómez y Luis Vega', ['Ana Gómez', 'Luis Vega']],
      ['José Ortega y Gasset', ['José Ortega y Gasset']],
      ['Автор: Анна Ли', ['Анна Ли']],
      ['文：王小明', ['王小明']],
      ['김철수 기자', ['김철수']],
      ['Ann Lee | Staff Writer | 7 June 2013', ['Ann Lee']],
      ['By Ann Lee, Associated Press', ['Ann Lee']],
      ['By Ann Lee Senior Science Correspondent', ['Ann Lee']],
      ['By Ann Lee, Bo Ek, Cy Fox', ['Ann Lee', 'Bo Ek', 'Cy Fox']],
      ['Ann Lee 2013-07-19 06:40', ['Ann Lee']],
      ['Ann Lee ann@press.example @annlee', ['Ann Lee']],
      ['View all posts by Ann Lee', ['Ann Lee']],
      ['<a href="/a">Ann Lee</a> Harbour Post Follow on Twitter Archive', ['Ann Lee']],
      ['<a href="/c">Local News</a>', []],
      ['2:49 p.m. EDT May 15, 2013', []],
      ['Share', []],
      ['read more', []],
    ] as const
  ).map(([text, names]): WildPage => [`the byline ${text}`, byline(text), { authors: names }]),
  ...[
    'admin',
    'Administrator',
    'null',
    'undefined',
    'webmaster',
    'N/A',
    '@annlee',
    '#annlee',
    'ann@press.example',
  ].map(
    (text): WildPage => [`${text} is no author`, `<meta name="author" content="${text}">`, { authors: [] }],
  ),
  [
    'the first byline alone',
    `${byline('By Ann Lee')}<p class="byline">By Bo Ek</p>`,
    { authors: ['Ann Lee'] },
  ],
]

const pictures: readonly WildPage[] = [
  ...[
    '<img src="https://b.scorecardresearch.com/p?c1=2" width="640" height="480">',
    '<img src="/icons/menu.png" width="300" height="300">',
    '<noscript><img src="/count.gif" width="300" height="300"></noscript>',
    '<nav><img src="/a.jpg" width="300" height="300"></nav>',
    '<aside><img src="/a.jpg" width="300" height="300"></aside>',
    '<footer><img src="/a.jpg" width="300" height="300"></footer>',
    '<div class="sidebar"><img src="/a.jpg" width="300" height="300"></div>',
    '<a class="logo"><img src="/a.jpg" width="300" height="300"></a>',
    '<img src="/a.jpg">',
  ].map((html): WildPage => [`no picture of the page: ${html}`, html, { image: null }]),
  [
    'a picture without a size in an article',
    '<img src="/top.jpg"><article><img src="/a.jpg"></article>',
    { sources: { type: 'default', image: 'img', site_name: 'host' } },
  ],
]

const texts: readonly WildPage[] = [
  ...[
    `© 2013 Harbour Post. All rights reserved. ${sentence}`,
    'Home » News » Harbours » Grain and everything else that matters',
    'Donate now to help us write about harbours and grain.',
    'By Ann Lee, who writes about harbours and grain for us',
    'We use cookies to make this site about harbours better for you.',
    '<a href="/a">Ten harbours that you should see this summer</a> and more',
  ].map(
    (text): WildPage => [
      `not the first paragraph: ${text}`,
      `<p>${text}</p><p>${sentence}</p>`,
      { description: sentence },
    ],
  ),
  [
    'a paragraph of the article before others',
    `<p>${'Somebody else writes something about something. '.repeat(2)}</p><article><p>${sentence}</p></article>`,
    { description: sentence },
  ],
  [
    'a page whose body says that no cookies are set',
    `<body class="cookies-not-set"><p>${sentence}</p>`,
    { description: sentence },
  ],
  [
    'a page that is a form',
    `<body><form id="aspnetForm"><h1>Harbour</h1><p>${sentence}</p></form>`,
    { title: 'Harbour', description: sentence },
  ],
  [
    'the name of a section as description',
    `<meta property="og:description" content="Press releases"><meta name="description" content="${sentence}">`,
    { description: sentence },
  ],
  [
    'the name of the site as description',
    `<meta property="og:site_name" content="The Harbour Post of Grain"><meta property="og:description" content="The Harbour Post of Grain"><p>${sentence}</p>`,
    { description: sentence },
  ],
  [
    'the name of the site as title',
    '<meta property="og:site_name" content="Harbour"><meta property="og:title" content="Harbour"><title>Grain moves</title>',
    { title: 'Grain moves' },
  ],
  [
    'a short description that is all there is',
    '<meta property="og:description" content="Press releases">',
    { description: 'Press releases' },
  ],
  [
    'tags in a description',
    `<meta name="description" content="&lt;p&gt;${sentence}&lt;/p&gt;"><p>x</p>`,
    { description: sentence },
  ],
  [
    'escaped tags in a description',
    `<meta name="description" content="&amp;lt;p&amp;gt;${sentence}&amp;lt;/p&amp;gt;">`,
    { description: sentence },
  ],
  [
    'letters that were escaped twice',
    '<title>Z&amp;uuml;rich &amp;Eacute;t&amp;eacute; &amp;euro;</title>',
    { title: 'Zürich Été €' },
  ],
  [
    'a description of eight thousand characters',
    `<meta name="description" content="${`${sentence} `.repeat(90)}">`,
    { description: `${sentence} `.repeat(10).trim() },
  ],
]

const small: readonly WildPage[] = [
  [
    'the size of an image as linked data has it',
    '<script type="application/ld+json">{"@type":"Article","image":{"@type":"ImageObject","url":"https://a.example/i.png","width":"600 px","height":{"@type":"QuantitativeValue","value":400}}}</script>',
    {
      image: {
        url: 'https://a.example/i.png',
        secure_url: 'https://a.example/i.png',
        type: null,
        width: 600,
        height: 400,
        alt: null,
        source: 'jsonld:image',
      },
    },
  ],
  [
    'a feed with a language',
    '<link rel="alternate" type="application/rss+xml" hreflang="de" href="/de.rss">',
    {
      feeds: [{ url: 'https://site.example.com/de.rss', type: 'application/rss+xml', title: null }],
      alternates: [],
    },
  ],
  [
    'four hundred citations before the title',
    `${'<meta name="citation_reference" content="x">'.repeat(400)}<meta property="og:title" content="Grain">`,
    { title: 'Grain' },
  ],
  [
    'an article of a blog',
    '<div itemprop="blogPost" itemscope><span itemprop="author">Ann Lee</span></div>',
    { authors: ['Ann Lee'] },
  ],
  [
    'a secure URL that is none',
    '<meta property="og:image" content="http://a.example/i.png"><meta property="og:image:secure_url" content="http://a.example/i.png">',
    {
      image: {
        url: 'http://a.example/i.png',
        secure_url: null,
        type: null,
        width: null,
        height: null,
        alt: null,
        source: 'og:image',
      },
    },
  ],
  [
    'oEmbed in both formats',
    '<link rel="alternate" type="text/xml+oembed" href="/x"><link rel="alternate" type="application/json+oembed" href="/j">',
    { oembed: { url: 'https://site.example.com/j', format: 'json' } },
  ],
  [
    'no icon at all',
    '',
    { icons: [{ url: 'https://site.example.com/favicon.ico', sizes: null, rel: 'default' }] },
  ],
]

const kinds: Readonly<Record<string, readonly WildPage[]>> = {
  dates,
  siteNames,
  authors,
  pictures,
  texts,
  small,
}

function preview(
  html: string,
  url = 'https://site.example.com/a/page.html',
  type = 'text/html; charset=utf-8',
) {
  return parsePreview(Buffer.from(html), { url, headers: { 'content-type': type } })
}

export const checks: readonly Check[] = [
  ...Object.entries(kinds).flatMap(([kind, pages]) =>
    pages.map(
      ([name, html, expected, url]): Check => ({
        name: `${kind}: ${name}`,
        async run() {
          const got = await preview(html, url)
          for (const [key, want] of Object.entries(expected))
            assert.deepEqual(got[key as keyof ParsedPreview], want, key)
        },
      }),
    ),
  ),
  {
    name: 'what a page says at its end is in the preview, however much its head says',
    async run() {
      const head =
        '<title>Grain</title><meta property="og:description" content="About grain and harbours"><meta property="og:image" content="/i.png"><meta name="author" content="Ann Lee"><meta property="article:published_time" content="2020-02-03">'
      const body = `</head><body>${'<p>grain</p>'.repeat(1_000)}<video src="/v.mp4"></video><script type="application/ld+json">{"@type":"NewsArticle","dateModified":"2020-02-05","publisher":{"logo":"/logo.png"}}</script>`
      const parser = createPageParser({
        url: 'https://site.example.com/',
        headers: {},
        contentType: 'text/html',
      })
      const bytes = Buffer.from(head + body)
      for (let at = 0; at < bytes.length; at += 4_096)
        if (!(await parser.write(bytes.subarray(at, at + 4_096)))) break
      const { fields } = await parser.finish()
      assert.equal(fields.logo, 'https://site.example.com/logo.png')
      assert.equal(fields.modified, '2020-02-05')
      assert.equal(fields.videos[0]?.url, 'https://site.example.com/v.mp4')
    },
  },
  {
    name: 'a page of UTF-8 is read as that, whatever single-byte charset its header names',
    async run() {
      const html = `<title>Größe und Übermaß, Äpfel und Öl: «Привет»</title>`
      for (const charset of ['windows-1251', 'iso-8859-2', 'koi8-r']) {
        const got = await preview(html, undefined, `text/html; charset=${charset}`)
        assert.equal(got.title, 'Größe und Übermaß, Äpfel und Öl: «Привет»')
        assert.equal(got.charset.encoding, 'utf-8')
      }
    },
  },
]
