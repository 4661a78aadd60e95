import { describe, expect, test } from 'bun:test'
import type { LlmsPage } from '../../../src/assets/sitemap/llms-places.ts'
import type { LlmsRequest } from '../../../src/assets/sitemap/write-llms.ts'
import cases from './llms.json' with { type: 'json' }
import { locs, look, page, siteHost, siteOrigin, writeLlms } from './look.ts'

const origin = 'https://example.com'

/** Pages at paths with spaces between them. */
function pagesAt(paths: string): readonly LlmsPage[] {
  return paths.split(' ').map((path) => ({ url: origin + path }))
}

/** The sections of an llms.txt: paths, and texts of the links, by heading. */
function sectionsOf(text: string) {
  const [, ...parts] = text.split(/^## /m)
  return Object.fromEntries(
    parts.map((part) => {
      const [heading = '', ...lines] = part.trim().split('\n')
      const links = lines.flatMap(
        (line) => [...(/^- \[(.+?)\]\((.+?)\)/.exec(line) ?? [])].slice(1, 3).join(' ') || [],
      )
      return [heading, links.map((link) => link.replace(`${origin}/`, '/'))]
    }),
  )
}

function sections(pages: readonly LlmsPage[], request: Partial<LlmsRequest> = {}) {
  return sectionsOf(writeLlms({ summary: 'All.', pages, ...request }))
}

/** The heading under which a path is. */
function headingOf(path: string, found: Readonly<Record<string, readonly string[]>>) {
  return Object.keys(found).find((heading) => found[heading]?.some((link) => link.endsWith(` ${path}`)))
}

describe('the titles of an llms.txt', () => {
  for (const { name, site, pages, titles } of cases.titles)
    test(name, () => {
      const listed = pages.map((known, at) => ({ url: `${origin}/page-${at}`, ...known }))
      const links = Object.values(sections(listed, { name: site })).flat()
      expect(links.map((link) => link.slice(0, link.lastIndexOf(' ')))).toEqual(titles)
    })

  test('of copies in other languages have the code of the language, all in one way', () => {
    const pages = pagesAt('/install /de/install /fr/install /ja/install /docs/pt-BR/install')
    const text = writeLlms({ pages: pages.map((known) => ({ ...known, title: 'Install' })) })
    const titles = [...text.matchAll(/^- \[(.*?)\]/gm)].map(([, title]) => title)
    expect(titles.join()).toBe('Install,Install (pt-BR),Install (de),Install (fr),Install (ja)')
  })

  test('of slugs spell abbreviations as such', () => {
    const found = sections(pagesAt('/docs/ssg /docs/cli-tools /docs/getting-started.html'))
    expect(found['Docs']).toEqual([
      'SSG /docs/ssg',
      'CLI tools /docs/cli-tools',
      'Getting started /docs/getting-started.html',
    ])
  })
})

describe('the sections of an llms.txt', () => {
  test('are what people look for, in their order', () => {
    const found = sections(
      pagesAt(
        '/ /pricing /about-us /careers /blog/a /blog/b /docs /docs/a /docs/api/x /api/y /tutorials/a /docs/guides/b /shoes/red /shoes/blue /privacy /lonely/page',
      ),
    )
    expect(Object.keys(found).join()).toBe('Pages,Docs,Guides,API,Shoes,Blog,Company,Optional')
    expect(headingOf('/lonely/page', found)).toBe('Pages')
    expect(headingOf('/docs/guides/b', found)).toBe('Guides')
  })

  test('are no dates: posts are under Posts, and lists of a month are optional', () => {
    const found = sections(
      pagesAt('/ /2025/05/post-1/ /2024/12/31/post-2 /2025/ /2025/05/ /blog/2025/05/x /blog/y'),
    )
    const expected = ['/2025/05/post-1/', '/2024/12/31/post-2']
    expect(found['Posts']?.map((link) => link.split(' ').at(-1))).toEqual(expected)
    expect(headingOf('/2025/05/', found)).toBe('Optional')
    expect(headingOf('/blog/2025/05/x', found)).toBe('Blog')
  })

  test('are no languages: the site’s own has the sections, and the others are optional', () => {
    const english = sections(pagesAt('/ /docs/a /docs/b /de/ /de/docs/a /fr/ /fr/docs/a'), { language: 'en' })
    expect(Object.keys(english)).toEqual(['Pages', 'Docs', 'Optional'])
    expect(english['Optional']).toHaveLength(4)
    const german = sections(pagesAt('/ /de/docs/a /de/docs/b /en/docs/a /en/docs/b'), { language: 'de-AT' })
    expect(headingOf('/de/docs/b', german)).toBe('Docs')
    expect(headingOf('/en/docs/b', german)).toBe('Optional')
    const department = sections(pagesAt('/ /it/support /it/phones /hr/forms /docs/a'), { language: 'en' })
    expect(headingOf('/docs/a', department)).toBe('Pages')
    const single = sections(pagesAt('/ /it/one /it/two'), { language: 'en' })
    expect(single['It']).toHaveLength(2)
  })

  test('have the current version, and older ones are optional', () => {
    const plain = sections(pagesAt('/docs/intro /docs/use /docs/2.x/intro /docs/1.0/intro /docs/next/intro'))
    expect(headingOf('/docs/intro', plain)).toBe('Docs')
    for (const old of ['/docs/2.x/intro', '/docs/1.0/intro', '/docs/next/intro'])
      expect(headingOf(old, plain)).toBe('Optional')
    const numbered = sections(pagesAt('/docs/v9/a /docs/v9/b /docs/v10/a /docs/v10/b /en/3.2/x /en/3.2/y'))
    expect(headingOf('/docs/v10/b', numbered)).toBe('Docs')
    expect(headingOf('/docs/v9/b', numbered)).toBe('Optional')
    const channels = sections(pagesAt('/docs/latest/a /docs/latest/b /docs/5.0/a /docs/dev/b'))
    expect(headingOf('/docs/latest/a', channels)).toBe('Docs')
    expect(headingOf('/docs/5.0/a', channels)).toBe('Optional')
    const alone = sections(pagesAt('/api/v1/users /api/v1/search'))
    expect(alone['API']).toHaveLength(2)
  })

  test('leave lists, authors, accounts and searches to Optional, but not documents about them', () => {
    const asides = cases.asides
    const found = sections(pagesAt(`/ ${asides.join(' ')} /docs/search /docs/authors /docs/license`))
    for (const path of asides) expect([path, headingOf(path, found)]).toEqual([path, 'Optional'])
    expect(found['Docs']).toHaveLength(3)
  })
})

describe('the length of an llms.txt', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => ({
    url: `${origin}/${['docs', 'blog', 'shop', 'tag'][at % 4]}/p-${at}`,
    linkCount: at === 2_996 ? 5 : 1,
  }))

  test('is at most 200 lines, which say what is missing, and the most linked pages come first', () => {
    const text = writeLlms({ sitemapUrl: `${origin}/sitemap.xml`, pages: many })
    const lines = text.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(200)
    expect(lines.length).toBeGreaterThan(150)
    expect(text).toMatch(
      /^This file lists \d+ of 3000 pages\. All are in \[sitemap\.xml\]\(https:\/\/example\.com\/sitemap\.xml\)\.$/m,
    )
    const found = sectionsOf(text)
    expect(found['Docs']?.[0]).toBe('P 2996 /docs/p-2996')
    expect(found['Blog']).toHaveLength(20)
    expect(found['Optional']).toHaveLength(20)
  })

  test('is no reason to leave anything out of a small site', () => {
    const text = writeLlms({ pages: many.slice(0, 60) })
    expect(text).not.toContain('This file lists')
  })

  test('does not grow by one description on every page', () => {
    const summary = 'Sells shoes.'
    const pages = pagesAt('/a /b').map((known) => ({ ...known, description: summary }))
    const text = writeLlms({ summary, pages })
    expect(text.match(/Sells shoes/g)).toHaveLength(1)
  })
})

test('pages that were not read have the texts of links to them, and the most linked come first', async () => {
  const names = ['CLI', 'SSG', 'Perf & tuning', 'Routing']
  const nav = names
    .map(
      (name, at) =>
        `<li><a href="/docs/${name.toLowerCase().slice(0, 4).trim()}"><svg><title>Icon</title></svg> ${name.replace('&', '&amp;')} </a>${at}</li>`,
    )
    .join('')
  const card = '<a href="/docs/rare"><img alt=x><p>Some long teaser</p><h3>Rare <b>thing</b></h3></a>'
  const { bundle } = await look(
    { [siteHost]: { '/': page('Site', nav + card), '/a': page('A', nav), '*': page('Nothing') } },
    { pagesMax: 1 },
  )
  const expected = [...names, 'Rare thing']
  expect(sectionsOf(bundle.llms)['Docs']?.map((link) => link.replace(/ https.*/, ''))).toEqual(expected)
})

test('an llms.txt that lists less than the sitemap says so in the warnings', async () => {
  const urls = Array.from({ length: 400 }, (_, at) => `https://${siteHost}/p/${at}`)
  const { bundle } = await look(
    { [siteHost]: { '/sitemap.txt': urls.join('\n'), '/': page('Site') } },
    { pagesMax: 1 },
  )
  expect(bundle.warnings).toEqual([expect.stringMatching(/^llms_limit: llms\.txt lists 19\d of 400 pages$/)])
})

test("a site's own Markdown pages are listed in place of their HTML pages", async () => {
  const alternate = '<link rel="alternate" type="text/markdown" href="/raw/a.md">'
  const { bundle } = await look({
    [siteHost]: {
      '/robots.txt': 'User-agent: *\nDisallow: /closed/\n',
      '/llms.txt': { status: 404 },
      '/': page('Home', '<a href="/a">A</a> <a href="/b/">B</a> <a href="/c.html">C</a> <a href="/d">D</a>'),
      '/a': page('A', '', alternate),
      '/b/': page('B', '<a href="index.md">View as Markdown</a> <a href="/readme.md">Another page</a>'),
      '/c.html': page('C', '<a href="c.md">Markdown</a>', alternate.replace('/raw', '/closed')),
      '/d': page('D', '', alternate.replace('/raw', 'https://other.example.org')),
      '*': { headers: ['Content-Type: text/markdown'], body: '# Markdown' },
    },
  })
  const paths = Object.values(sectionsOf(bundle.llms)).flat()
  const expected = 'Home /,A /raw/a.md,B /b/index.md,C /c.md,D /d'
  expect(paths.map((link) => link.replace(siteOrigin, '')).join()).toBe(expected)
  expect(locs(bundle)).toEqual(['/', '/a', '/b/', '/c.html', '/d'].map((path) => siteOrigin + path))
})
