import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { createBundleService } from '../../../src/assets/sitemap/bundle-service.ts'
import type { DiscoveryProgress } from '../../../src/assets/sitemap/discover.ts'
import type { Check } from '../../support/check.ts'
import { check } from '../../support/make-check.ts'
import cases from './discover-checks.json' with { type: 'json' }
import { locs, look, page, type Site, serve, siteHost, siteOrigin } from './look.ts'

interface SiteCase {
  readonly name: string
  /** Hosts with their paths; a list is the arguments of `page`. */
  readonly sites: Readonly<Record<string, Readonly<Record<string, Site[string] | Parameters<typeof page>>>>>
  readonly settings?: Parameters<typeof look>[1]
  readonly expected: Readonly<Record<string, unknown>>
  /** The beginnings of files. */
  readonly begins?: Readonly<Record<'robots' | 'llms', string>>
  readonly warning?: string
  readonly unrequested?: string
}

function sitesOf({ sites }: SiteCase) {
  function answerOf([path, answer]: readonly [string, Site[string] | Parameters<typeof page>]) {
    return [path, Array.isArray(answer) ? page(...(answer as Parameters<typeof page>)) : answer]
  }
  return Object.fromEntries(
    Object.entries(sites).map(([host, site]) => [
      host,
      Object.fromEntries(Object.entries(site).map(answerOf)),
    ]),
  )
}

const siteChecks = (cases as unknown as readonly SiteCase[]).map((entry) =>
  check(entry.name, async () => {
    const { bundle, requests } = await look(sitesOf(entry), entry.settings)
    const [{ source } = {}, , { source: llmsSource } = {}] = bundle.files
    const listed = locs(bundle)
    const found = { ...bundle, requests, source, llmsSource, locs: listed, sorted: listed.toSorted() }
    for (const [key, value] of Object.entries(entry.expected))
      assert.deepEqual(found[key as keyof typeof found], value, key)
    for (const [key, text] of Object.entries(entry.begins ?? {}))
      assert.ok(found[key as 'robots' | 'llms'].startsWith(text))
    const { warning = '', unrequested = 'never' } = entry
    assert.ok(warning === '' || bundle.warnings.some((text) => text.startsWith(warning)))
    assert.ok(!requests.some((request) => request.includes(unrequested)))
  }),
)

export const checks: readonly Check[] = [
  ...siteChecks,
  check('a site without files is crawled breadth first from its home page', async () => {
    const { bundle, requests } = await look({
      [siteHost]: {
        '/': page(
          'Home',
          '<a href="/a">A</a><a href="b#x">B</a><a href="/pic.jpg">P</a><a href="https://other.example.org/">O</a><a href="javascript:x">J</a>',
        ),
        '/a': page(
          'Page A',
          '<a href="/a/deep">D</a>',
          '<meta property="article:modified_time" content="2025-05-05T10:00:00Z">',
        ),
        '/b': { body: page('Page B'), headers: ['Last-Modified: Tue, 06 May 2025 10:00:00 GMT'] },
        '/a/deep': page('Deep'),
      },
    })
    assert.equal(bundle.mode, 'crawl')
    assert.deepEqual(
      locs(bundle),
      ['/', '/a', '/b', '/a/deep'].map((path) => siteOrigin + path),
    )
    assert.match(bundle.sitemap, /\/a<\/loc><lastmod>2025-05-05T10:00:00.000Z</)
    assert.match(bundle.sitemap, /\/b<\/loc><lastmod>2025-05-06T10:00:00.000Z</)
    assert.match(bundle.sitemap, /\/a\/deep<\/loc><\/url>/)
    assert.match(
      bundle.llms,
      /^# Home\n\n> About Home\.\n\n## Pages\n\n- \[Home\]\(https:\/\/site\.example\.com\/\): About Home\.\n/,
    )
    assert.equal(requests[0], `${siteHost}/robots.txt`)
    assert.equal(bundle.counts.pages, 4)
    assert.equal(bundle.counts.requests, requests.length)
  }),
  check('sitemaps that robots.txt names are read, indexes and gzip too', async () => {
    const { bundle, requests } = await look({
      [siteHost]: {
        '/robots.txt': `Sitemap: ${siteOrigin}/index.xml\n`,
        '/index.xml': `<sitemapindex><sitemap><loc>${siteOrigin}/one.xml.gz</loc></sitemap><sitemap><loc>${siteOrigin}/two.txt</loc></sitemap></sitemapindex>`,
        '/one.xml.gz': {
          body: gzipSync(
            `<urlset><url><loc>${siteOrigin}/a?x=1&amp;y=2</loc><lastmod>2025-01-01</lastmod></url><url><loc>https://evil.example.org/</loc></url></urlset>`,
          ),
        },
        '/two.txt': `${siteOrigin}/b\n`,
        '/': page('Home'),
        '/a?x=1&y=2': page('A'),
      },
    })
    assert.equal(bundle.mode, 'sitemap+crawl')
    assert.deepEqual(locs(bundle), [`${siteOrigin}/a?x=1&amp;y=2`, `${siteOrigin}/b`])
    assert.match(bundle.sitemap, /<lastmod>2025-01-01<\/lastmod>/)
    assert.ok(bundle.warnings.includes('sitemap_foreign: 1 URLs of other hosts were left out'))
    assert.ok(!requests.some((request) => request.startsWith('evil')))
    assert.match(bundle.llms, /- \[A\]\(https:\/\/site\.example\.com\/a\?x=1&y=2\): About A\./)
  }),
  check('an index may name its sitemaps by path, and what is no URL stops nothing', async () => {
    const children = ['sub.xml', '/sm1.xml', 'not a url', 'http://[', 'mailto:me@example.com']
    const index = `<sitemapindex>${children.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`
    for (const robots of ['', `Sitemap: ${siteOrigin}/maps/index.xml\n`]) {
      const { bundle } = await look({
        [siteHost]: {
          '/robots.txt': robots,
          [robots === '' ? '/sitemap.xml' : '/maps/index.xml']: index,
          [robots === '' ? '/sub.xml' : '/maps/sub.xml']:
            `<urlset><url><loc>${siteOrigin}/b</loc></url></urlset>`,
          '/sm1.xml': `<urlset><url><loc>${siteOrigin}/a</loc></url></urlset>`,
          '/': page('Home'),
        },
      })
      assert.deepEqual(locs(bundle), [`${siteOrigin}/b`, `${siteOrigin}/a`])
    }
  }),
  check('a site that moved as a whole is looked at where it is, under the rules of that place', async () => {
    function to(path: string) {
      return { status: 301, headers: [`Location: https://new.example.com${path}`] }
    }
    const { bundle, requests } = await look({
      [siteHost]: { '/robots.txt': to('/robots.txt'), '/': to('/') },
      'new.example.com': {
        '/robots.txt': 'User-agent: *\nDisallow: /secret\n',
        '/': page('Home', '<a href="/secret">S</a><a href="/open">O</a>'),
        '/open': page('Open'),
      },
    })
    assert.equal(bundle.origin, 'https://new.example.com')
    assert.deepEqual(locs(bundle), ['https://new.example.com/', 'https://new.example.com/open'])
    assert.ok(!requests.some((request) => request.includes('secret')))
    assert.ok(requests.filter((request) => request === `${siteHost}/`).length <= 1)
  }),
  check('a site that is away gets a template, the same each time', async () => {
    const [first, second] = [await look({}), await look({})]
    assert.deepEqual(first.bundle, second.bundle)
    assert.equal(first.bundle.mode, 'template')
    assert.equal(first.bundle.ttl, 600)
    assert.deepEqual(locs(first.bundle), [`${siteOrigin}/`])
    assert.doesNotMatch(first.bundle.sitemap, /lastmod/)
    assert.ok(first.bundle.warnings[0]?.startsWith('unreachable: The host name does not exist.'))
  }),
  check('no more pages are read than asked for, and no more URLs listed', async () => {
    const links = Array.from({ length: 100 }, (_, index) => `<a href="/p${index}">x</a>`).join('')
    const site = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`/p${index}`, page(`P${index}`)]),
    )
    const { bundle, requests } = await look(
      { [siteHost]: { ...site, '/': page('Home', links) } },
      { pagesMax: 8, urlsMax: 30 },
    )
    assert.equal(requests.filter((request) => /\/(p\d+)?$/.test(request)).length, 8)
    assert.equal(locs(bundle).length, 30)
  }),
  check('equal requests share one look, hear of its progress, and the answer is kept', async () => {
    const { fetcher, requests, close } = await serve({
      [siteHost]: { '/': page('Home', '<a href="/a">A</a>'), '/a': page('A') },
    })
    const service = createBundleService(fetcher, 'MintmarkBot', () => 0)
    const request = { host: siteHost, urlsMax: 100, pagesMax: 20, ai: 'allow', crawl: true } as const
    const heard: DiscoveryProgress[] = []
    const [first, second] = await Promise.all([
      service.bundle(request),
      service.bundle(request, { onProgress: (progress) => heard.push(progress) }),
    ])
    const asked = requests.length
    assert.equal(first, second)
    assert.equal(await service.bundle(request), first)
    assert.equal(requests.length, asked)
    assert.deepEqual([heard.at(-1)?.stage, heard.at(-1)?.pages], ['pages', 2])
    await close()
  }),
]
