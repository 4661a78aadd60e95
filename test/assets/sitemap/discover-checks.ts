import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { createBundleService } from '../../../src/assets/sitemap/bundle-service.ts'
import type { DiscoveryProgress } from '../../../src/assets/sitemap/discover.ts'
import type { Check } from '../../support/check.ts'
import { check } from '../../support/make-check.ts'
import { locs, look, page, serve, siteHost, siteOrigin } from './look.ts'

export const checks: readonly Check[] = [
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
    assert.deepEqual(locs(bundle), [
      `${siteOrigin}/`,
      `${siteOrigin}/a`,
      `${siteOrigin}/b`,
      `${siteOrigin}/a/deep`,
    ])
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
  check('what campaigns add to a URL is not part of the page', async () => {
    const links = ['/a?utm_source=x&fbclid=1', '/a?gclid=2', '/b?utm_medium=mail&id=3&msclkid=4', '/c?clid=5']
    const home = links.map((href) => `<a href="${href.replaceAll('&', '&amp;')}">A</a>`).join('')
    const { bundle } = await look({
      [siteHost]: {
        '/': page('Home', home),
        '/a': page('A'),
        '/b?id=3': page('B'),
        '/c?clid=5': page('C'),
      },
    })
    assert.deepEqual(
      locs(bundle).toSorted(),
      ['/', '/a', '/b?id=3', '/c?clid=5'].map((path) => siteOrigin + path),
    )
  }),
  check('robots.txt is obeyed and kept, with our sitemap added', async () => {
    const robots = 'User-agent: *\nDisallow: /secret\n'
    const { bundle, requests } = await look({
      [siteHost]: {
        '/robots.txt': robots,
        '/': page('Home', '<a href="/secret/x">S</a><a href="/open">O</a>'),
        '/open': page('Open'),
      },
    })
    assert.deepEqual(locs(bundle), [`${siteOrigin}/`, `${siteOrigin}/open`])
    assert.ok(!requests.some((request) => request.includes('secret')))
    assert.equal(bundle.robots, `${robots}\nSitemap: ${siteOrigin}/sitemap.xml\n`)
    assert.equal(bundle.files[0]?.source, 'existing+generated')
  }),
  check('a site that lets nobody in is not read beyond robots.txt', async () => {
    const { bundle, requests } = await look({
      [siteHost]: { '/robots.txt': 'User-agent: *\nDisallow: /\n', '/': page('Home') },
    })
    assert.deepEqual(requests, [`${siteHost}/robots.txt`])
    assert.equal(bundle.mode, 'template')
    assert.ok(bundle.warnings.some((warning) => warning.startsWith('robots_disallow')))
  }),
  check('an error on robots.txt means: keep out', async () => {
    const { bundle, requests } = await look({
      [siteHost]: { '/robots.txt': { status: 503 }, '/': page('Home') },
    })
    assert.deepEqual(requests, [`${siteHost}/robots.txt`])
    assert.ok(bundle.warnings.some((warning) => warning.startsWith('robots_unavailable')))
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
  check('pages that ask not to be listed are not, and canonical URLs stand for their variants', async () => {
    const { bundle } = await look({
      [siteHost]: {
        '/': page('Home', '<a href="/hidden">H</a><a href="/variant">V</a><a href="/quiet">Q</a>'),
        '/hidden': page('Hidden', '', '<meta name="robots" content="noindex">'),
        '/variant': page('Variant', '', '<link rel="canonical" href="/real">'),
        '/quiet': page('Quiet', '<a href="/unseen">U</a>', '<meta name="robots" content="nofollow">'),
      },
    })
    assert.deepEqual(locs(bundle).sort(), [`${siteOrigin}/`, `${siteOrigin}/quiet`, `${siteOrigin}/real`])
  }),
  check('an llms.txt that the site has is given back', async () => {
    const llms = '# Their own words\n\n> Kept.\n'
    const { bundle } = await look({ [siteHost]: { '/llms.txt': llms, '/': page('Home') } })
    assert.equal(bundle.llms, llms)
    assert.equal(bundle.files[2]?.source, 'existing')
  }),
  check('a page in the place of a file is not taken for one', async () => {
    const html = { body: page('Not found, kindly'), headers: ['Content-Type: text/html'] }
    const { bundle } = await look({
      [siteHost]: { '/robots.txt': html, '/llms.txt': html, '/sitemap.xml': html, '/': page('Home') },
    })
    assert.match(bundle.robots, /^User-agent: \*\nAllow: \/\n/)
    assert.match(bundle.llms, /^# Home\n/)
    assert.equal(bundle.mode, 'crawl')
  }),
  check('a site that moved to www is looked at there', async () => {
    const home = { status: 301, headers: ['Location: https://www.example.com/'] }
    const { bundle } = await look({
      [siteHost]: { '/': home },
      'www.example.com': { '/': page('Real home') },
    })
    assert.equal(bundle.origin, 'https://www.example.com')
    assert.deepEqual(locs(bundle), ['https://www.example.com/'])
  }),
  check('a robots.txt that lies on another host of the site moves the rules only, not the site', async () => {
    for (const other of ['static7.example.com', 'www.example.com']) {
      const { bundle, requests } = await look({
        [siteHost]: {
          '/robots.txt': { status: 302, headers: [`Location: https://${other}/robots.txt`] },
          '/': page('Home', '<a href="/secret">S</a><a href="/open">O</a>'),
          '/open': page('Open'),
        },
        [other]: { '/robots.txt': 'User-agent: *\nDisallow: /secret\n', '/': page('Files') },
      })
      assert.equal(bundle.origin, siteOrigin)
      assert.deepEqual(locs(bundle), [`${siteOrigin}/`, `${siteOrigin}/open`])
      assert.ok(!requests.includes(`${siteHost}/secret`))
      assert.match(bundle.robots, /^User-agent: \*\nDisallow: \/secret\n/)
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
  check('a robots.txt of another site that this one leads to is obeyed as its own', async () => {
    const { bundle, requests } = await look({
      [siteHost]: {
        '/robots.txt': { status: 302, headers: ['Location: http://rules.example.org/shared.txt'] },
        '/': page('Home'),
      },
      'rules.example.org': { '/shared.txt': 'User-agent: *\nDisallow: /\n' },
    })
    assert.deepEqual(requests, [`${siteHost}/robots.txt`, 'rules.example.org/shared.txt'])
    assert.equal(bundle.origin, siteOrigin)
    assert.ok(bundle.warnings.some((warning) => warning.startsWith('robots_disallow')))
  }),
  check('a home page that leads to a stranger is not followed', async () => {
    const home = { status: 301, headers: ['Location: http://elsewhere.example.org/'] }
    const { bundle } = await look({
      [siteHost]: { '/': home },
      'elsewhere.example.org': { '/': page('Stranger') },
    })
    assert.equal(bundle.mode, 'template')
    assert.ok(bundle.warnings.some((warning) => warning.startsWith('redirects_elsewhere')))
  }),
  check('a site without https is found on http', async () => {
    const { bundle } = await look({ [siteHost]: { '/': page('Home') } }, { https: false })
    assert.equal(bundle.origin, `http://${siteHost}`)
    assert.deepEqual(locs(bundle), [`http://${siteHost}/`])
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
  check('the time budget holds', async () => {
    const { bundle } = await look(
      { [siteHost]: { '/robots.txt': 'User-agent: *\nAllow: /\n', '/': page('Home') } },
      { totalMs: 50 },
    )
    assert.equal(bundle.mode, 'template')
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
