import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { Check } from '../../support/check.ts'
import { check } from '../../support/make-check.ts'
import { locs, look, page, siteHost, siteOrigin } from './look.ts'
import tables from './sitemap-checks.json' with { type: 'json' }

const home = page('Home')
const sitemapXml = `${siteOrigin}/sitemap.xml`

function urlset(urls: readonly string[]) {
  return `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('\n')}</urlset>`
}

function paths(count: number, origin = siteOrigin) {
  return Array.from({ length: count }, (_, at) => `${origin}/shop/item-${at}`)
}

function site(sitemap: string | Uint8Array, robots = `Sitemap: ${sitemapXml}\n`) {
  return { '/robots.txt': robots, '/sitemap.xml': { body: sitemap }, '/': home }
}

function starts(warnings: readonly string[], ...beginnings: readonly string[]) {
  const missing = beginnings.filter((beginning) => !warnings.some((warning) => warning.startsWith(beginning)))
  assert.deepEqual({ missing, warnings }, { missing: [], warnings })
}

export const checks: readonly Check[] = [
  {
    name: 'the largest sitemap that the protocol allows gives as many URLs as were asked for, packed or not',
    isSlow: true,
    async run() {
      const large = urlset(paths(50_000).map((url) => `${url}?${'x'.repeat(900)}`))
      for (const body of [gzipSync(large, { level: 1 }), large]) {
        const { bundle } = await look({ [siteHost]: site(body) }, { urlsMax: 5_000, pagesMax: 1 })
        assert.equal(bundle.mode, 'sitemap+crawl')
        assert.equal(bundle.counts.urls, 5_000)
        starts(bundle.warnings, 'url_limit: the sitemaps were read to 5000 URLs')
      }
    },
  },
  check('a packed sitemap is read to its last entry, and up to the place where it is cut', async () => {
    const packed = gzipSync(urlset(paths(4_000)))
    const whole = await look({ [siteHost]: site(packed) }, { urlsMax: 5_000, pagesMax: 1 })
    assert.equal(whole.bundle.counts.urls, 4_000)
    assert.deepEqual(whole.bundle.warnings, ['llms_limit: llms.txt lists 191 of 4000 pages'])
    const cut = await look({ [siteHost]: site(packed.subarray(0, 8_000)) }, { urlsMax: 5_000, pagesMax: 1 })
    assert.ok(cut.bundle.counts.urls > 500 && cut.bundle.counts.urls < 4_000)
    starts(cut.bundle.warnings, `sitemap_cut: ${sitemapXml} was read to its entry `)
  }),
  {
    name: 'a packed file that unpacks to one endless line is given up, and said to be',
    isSlow: true,
    async run() {
      const bombs = ['a', '<urlset><url><loc>', '<!--'].map((text) => text + 'a'.repeat(50_000_000))
      for (const text of bombs) {
        const { bundle } = await look({ [siteHost]: site(gzipSync(text, { level: 1 })) })
        assert.deepEqual(locs(bundle), [`${siteOrigin}/`])
        starts(bundle.warnings, 'sitemap_cut: ')
      }
    },
  },
  check(
    'an index of itself and one of countless dead sitemaps end, and what is missing is said',
    async () => {
      const dead = Array.from({ length: 50_000 }, (_, at) => `${siteOrigin}/dead-${at}.xml`)
      const names = [sitemapXml, ...dead].map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')
      const { bundle, requests } = await look({ [siteHost]: site(`<sitemapindex>${names}</sitemapindex>`) })
      assert.equal(requests.filter((request) => request.endsWith('/sitemap.xml')).length, 1)
      assert.ok(requests.length < 48)
      assert.deepEqual(locs(bundle), [`${siteOrigin}/`])
      assert.ok(bundle.warnings.length < 30)
      starts(
        bundle.warnings,
        'sitemap_limit: ',
        `sitemap_unavailable: ${siteOrigin}/dead-0.xml could not be read`,
      )
    },
  ),
  check('every sitemap of robots.txt that cannot be had is said, whatever the cause', async () => {
    const named = tables.named
    const { bundle } = await look({
      [siteHost]: {
        '/robots.txt': `User-agent: *\nDisallow: /secret\n${named.map((url) => `Sitemap: ${url}\n`).join('')}`,
        '/page.xml': page('Not found'),
        '/empty.xml': '<urlset></urlset>',
        '/': home,
      },
    })
    starts(
      bundle.warnings,
      'sitemap_unavailable: https://gone.example.org/s.xml could not be read: The host name does not exist.',
      `sitemap_unavailable: ${siteOrigin}/missing.xml could not be read: it answers with status 404`,
      `sitemap_unavailable: ${siteOrigin}/page.xml could not be read: it is a web page`,
      `sitemap_empty: ${siteOrigin}/empty.xml lists nothing`,
      `sitemap_unavailable: ${siteOrigin}/secret.xml could not be read: robots.txt disallows it`,
    )
  }),
  check(
    'a sitemap that robots.txt names by its path is read, and its entries may be paths as well',
    async () => {
      const { bundle } = await look({
        [siteHost]: {
          '/robots.txt': 'Sitemap: maps/all.xml\n',
          '/maps/all.xml': urlset(['/a', `${siteOrigin}/b`]),
          '/': home,
        },
      })
      assert.deepEqual(locs(bundle), [`${siteOrigin}/a`, `${siteOrigin}/b`])
    },
  ),
  check(
    'entries under the other scheme or www are the site’s own, at the origin that most share if it answers',
    async () => {
      const www = `www.${siteHost}`
      const cases = [
        { entries: siteOrigin, answers: [siteHost], https: true, origin: siteOrigin },
        { entries: `http://${siteHost}`, answers: [siteHost], https: true, origin: `http://${siteHost}` },
        { entries: siteOrigin, answers: [siteHost], https: false, origin: `http://${siteHost}` },
        { entries: `http://${www}`, answers: [siteHost, www], https: false, origin: `http://${www}` },
        { entries: `http://${www}`, answers: [siteHost], https: false, origin: `http://${siteHost}` },
      ]
      for (const { entries, answers, https, origin } of cases) {
        const files = { ...site(urlset(paths(30, entries)), 'Sitemap: /sitemap.xml\n') }
        const sites = Object.fromEntries(answers.map((host) => [host, files]))
        const { bundle } = await look(sites, { https, pagesMax: 1 })
        assert.equal(bundle.origin, origin)
        assert.deepEqual(locs(bundle), paths(30, origin))
        assert.deepEqual(bundle.warnings, [])
      }
    },
  ),
  check('the robots.txt of the origin that entries share is obeyed there', async () => {
    const www = `www.${siteHost}`
    const { bundle, requests } = await look(
      {
        [siteHost]: site(urlset(paths(3, `http://${www}`)), 'Sitemap: /sitemap.xml\n'),
        [www]: { '/': home, '/robots.txt': 'User-agent: *\nDisallow: /shop/item-1\n' },
      },
      { https: false },
    )
    assert.deepEqual(locs(bundle), [`http://${www}/shop/item-0`, `http://${www}/shop/item-2`])
    assert.ok(!requests.includes(`${www}/shop/item-1`))
  }),
  check('feeds and lists of URLs are sitemaps, with their dates', async () => {
    const rss = `<rss><channel><link>${siteOrigin}/</link><item><title>One</title><link>${siteOrigin}/1</link><pubDate>Thu, 01 Feb 2024 12:00:00 +0200</pubDate></item><item><guid>${siteOrigin}/2</guid></item></channel></rss>`
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><entry><link rel="self" href="/x"/><link href="/3"/><updated>2024-02-03T10:00:00Z</updated></entry></feed>`
    const list = `${siteOrigin}/4\r\nnonsense\r\n${siteOrigin}/5`
    const { bundle } = await look({
      [siteHost]: {
        '/robots.txt': 'Sitemap: /rss.xml\nSitemap: /atom.xml\nSitemap: /list.txt\n',
        '/rss.xml': rss,
        '/atom.xml': atom,
        '/list.txt': list,
        '/': home,
      },
    })
    assert.deepEqual(
      locs(bundle),
      ['/1', '/2', '/3', '/4', '/5'].map((path) => siteOrigin + path),
    )
    assert.match(bundle.sitemap, /\/1<\/loc><lastmod>2024-02-01T10:00:00Z</)
    assert.match(bundle.sitemap, /\/3<\/loc><lastmod>2024-02-03T10:00:00Z</)
  }),
  check('other languages, images, news and videos are kept, and what is not kept is said', async () => {
    const entry = `<url><loc>${siteOrigin}/a</loc>
      <xhtml:link rel="alternate" hreflang="de" href="${siteOrigin}/de/a?x=1&amp;y=2"/>
      <xhtml:link rel="alternate" hreflang="fr" href="javascript:alert(1)"/>
      <pic:image><pic:loc>${siteOrigin}/a.png</pic:loc><pic:caption><![CDATA[Fish & chips]]></pic:caption></pic:image>
      <image:image><image:loc>data:x</image:loc></image:image>
      <news:news><news:publication><news:name>The Site</news:name><news:language>en</news:language></news:publication>
      <news:title>A headline</news:title></news:news>
      <video:video><video:title>Film</video:title><video:restriction relationship="allow" onclick="x">AT</video:restriction></video:video>
      <geo:geo><geo:format>kml</geo:format></geo:geo></url>`
    const map = `<urlset xmlns:pic="http://www.google.com/schemas/sitemap-image/1.1">${entry}</urlset>`
    const { bundle } = await look({ [siteHost]: site(map) })
    const kept = [
      `<xhtml:link rel="alternate" hreflang="de" href="${siteOrigin}/de/a?x=1&amp;y=2"/>`,
      `<image:image><image:loc>${siteOrigin}/a.png</image:loc><image:caption>Fish &amp; chips</image:caption></image:image>`,
      '<news:news><news:publication><news:name>The Site</news:name><news:language>en</news:language></news:publication><news:title>A headline</news:title></news:news>',
      '<video:video><video:title>Film</video:title><video:restriction relationship="allow">AT</video:restriction></video:video>',
    ]
    assert.ok(
      bundle.sitemap.includes(`<url><loc>${siteOrigin}/a</loc>${kept.join('')}</url>`),
      bundle.sitemap,
    )
    assert.match(
      bundle.sitemap,
      /<urlset [^>]*xmlns:xhtml="[^"]+" xmlns:image="[^"]+" xmlns:news="[^"]+" xmlns:video="/,
    )
    starts(bundle.warnings, `sitemap_extensions: ${sitemapXml} has geo, which was left out`)
  }),
  check('how often a page changes and its priority are kept where the protocol knows the value', async () => {
    const hints = tables.hints
    const urls = hints.map(
      ([changefreq, priority], at) =>
        `<url><priority>${priority}</priority><loc>${siteOrigin}/${at}</loc><changefreq>${changefreq}</changefreq><lastmod>2024-02-03</lastmod></url>`,
    )
    const { bundle } = await look({ [siteHost]: site(`<urlset>${urls.join('')}</urlset>`) })
    for (const [at, [, , kept]] of hints.entries()) {
      const entry = `<url><loc>${siteOrigin}/${at}</loc><lastmod>2024-02-03</lastmod>${kept}</url>`
      assert.ok(bundle.sitemap.includes(entry), `${entry} is missing in ${bundle.sitemap}`)
    }
  }),
  check('pages of a sitemap that the home page links to are read first', async () => {
    const { requests } = await look(
      {
        [siteHost]: {
          ...site(urlset(paths(50))),
          '/': page('Home', '<a href="/shop/item-49/">Our best</a><a href="/shop/item-7">Seven</a>'),
          '*': page('Item'),
        },
      },
      { pagesMax: 3 },
    )
    const pages = requests.filter((request) => request.includes('/shop/'))
    assert.deepEqual(pages.toSorted(), [`${siteHost}/shop/item-49`, `${siteHost}/shop/item-7`])
  }),
]
