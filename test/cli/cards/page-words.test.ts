import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { cardFactsOf } from '../../../src/assets/card/card-facts.ts'
import { statedFacts } from '../../../src/assets/card/stated-facts.ts'
import { isChallengePage } from '../../../src/assets/preview/challenge.ts'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import tables from './page-words.json' with { type: 'json' }
import { newSite, page } from './site.ts'
import { recordedRun } from './support/recorded-run.ts'

interface WordsCase {
  readonly id: string
  readonly kind: string
  readonly request: {
    readonly url?: string
    readonly page?: string
    readonly cards?: Readonly<Record<string, string>>
    readonly base?: string | null
    readonly look_at?: string
  }
  readonly expected: string | Readonly<Record<string, string>>
}

const file = new URL('../../fixtures/page-words.jsonl', import.meta.url)
const cases: readonly WordsCase[] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const directory = temporaryDirectory()
const base = 'https://ex.org/'

async function read(markup: string, url = 'https://site.example.com/p') {
  const parser = createPageParser({ url, headers: {}, contentType: 'text/html', readsOutline: true })
  await parser.write(Buffer.from(markup))
  const parsed = await parser.finish()
  const { texts } = cardFactsOf(statedFacts(parsed, false), url, null, [])
  return { parsed, title: texts['title'] ?? '', subtitle: texts['subtitle'] }
}

function isWall(parsed: Parameters<typeof isChallengePage>[1]): boolean {
  const head = { url: new URL('https://site.example.com/p'), status: 200, headers: {} }
  return isChallengePage(head as Parameters<typeof isChallengePage>[0], parsed)
}

test.each(
  cases.filter(({ request }) => request.page !== undefined).map((entry) => [entry.id, entry] as const),
)('the words of a page are right: %s', async (_, { kind, request, expected }) => {
  const { parsed, title } = await read(request.page ?? '', request.url)
  expect(isWall(parsed)).toBe(kind === 'bot-wall-200')
  if (typeof expected === 'string') return
  const { title: right, card_title: cardTitle, not_site_name: notSite, image } = expected
  if (right !== undefined) expect(right).toStartWith(parsed.fields.title ?? 'nothing')
  if (cardTitle !== undefined) expect(title).toStartWith(cardTitle.replace(/ \(or.*/, ''))
  if (notSite !== undefined) expect(parsed.fields.site_name).not.toBe(notSite)
  if (image !== undefined) expect(parsed.fields.image?.url).toEndWith(image)
})

test.each(
  cases
    .filter(({ request, expected }) => request.cards !== undefined && typeof expected !== 'string')
    .map((entry) => [entry.id, entry] as const),
)('the card of a page of a site has the right title: %s', async (_, { request, expected }) => {
  const { cards } = await recordedRun(newSite(directory, request.cards ?? {}).folder, base)
  expect(cards.get(request.look_at ?? 'index.html')?.['title']).toBe((expected as { title: string }).title)
})

const words = 'Words of this page, enough of them to be a paragraph of its own, and a few more.'
function pages(count: number, path: string, markup: (index: number) => string) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${path}${index}.html`, markup(index)]),
  )
}

test('a name that one folder shares is no part of its titles, and a default description gives way, with or without the title', async () => {
  const common = '<meta name="description" content="The same sentence stands on every page of this blog.">'
  const named = (name: string) => common.replace('this', name)
  const { folder } = newSite(directory, {
    ...pages(6, 'p', (at) => `${page(`Post ${at} | Acme`, named(`Post ${at}`))}<p>${at} ${words}</p>`),
    ...pages(4, 'inside/q', (index) => `${page(`Note ${index} | Inside Blog`, common)}<p>${words}</p>`),
  })
  const { cards } = await recordedRun(folder, base)
  expect(cards.get('p3.html')).toMatchObject({ title: 'Post 3', subtitle: `3 ${words}` })
  expect(cards.get('inside/q1.html')).toMatchObject({ title: 'Note 1' })
  expect(cards.get('inside/q1.html')?.['subtitle']).not.toBe(words)
})

test('a paragraph that many pages have gives way to the one behind it; one of a few stays, but not a notice', async () => {
  const banner = '<p>This document describes the stable version. For the other one, go to its site.</p>'
  const own = (index: number) => (index === 0 ? '' : `<p>${index} ${words}</p>`)
  const { folder } = newSite(directory, {
    ...pages(4, 'p', (index) => `${page(`Post ${index}`)}${banner}${own(index)}`),
    ...pages(200, 'q', (index) => `${page(`Note ${index}`)}${index < 3 ? `<p>${words}</p>` : own(index)}`),
    ...pages(3, 'm', (index) => `${page(`Day ${index}`)}<div class=note><p>The notice. ${words}</p></div>`),
  })
  const { cards } = await recordedRun(folder, base)
  const subtitles = ['p0', 'p2', 'q2', 'q3', 'm0'].map((name) => cards.get(`${name}.html`)?.['subtitle'])
  expect(subtitles).toEqual([undefined, `2 ${words}`, words, `3 ${words}`, undefined])
})

test('the list of the only post of a month has neither its day nor its words', async () => {
  const markup = `<title>2014/5</title><h1>Blog</h1><article><h1>Pools</h1><time datetime="2014-05-29"></time><p>${words}</p></article>`
  for (const path of ['archives/2014/05/', 'tags/pools/', 'category/pools/page/2/', 'page/3/index.html']) {
    const { parsed, subtitle } = await read(markup, `https://site.example.com/${path}`)
    expect([subtitle, statedFacts(parsed, false).published]).toEqual([undefined, undefined])
  }
  expect((await read(markup, 'https://site.example.com/archives/pools/')).subtitle).toBe(words)
})

test('a link that leads nowhere does not name the site', async () => {
  const markup =
    '<title>Reference — Quarry 2.4 documentation</title><a href="">Reference</a><h1>Reference</h1>'
  expect((await read(markup)).parsed.fields.site_name).not.toBe('Reference')
})

test.each(tables.titles)(
  'the card of a page at %s that is called "%s" says "%s"',
  async (url, title, right) => {
    expect((await read(`<title>${title}</title><p>${words}</p>`, url)).title).toBe(right)
  },
)

test('a part in the middle of titles that a folder shares goes with the name of the site, a headline with a colon stays', async () => {
  const { folder } = newSite(directory, {
    ...pages(4, 'notes/n', (index) => page(`Note ${index} – Field notes – Acme`)),
    ...pages(4, 'faq/f', (index) => page(`FAQ: Topic ${index} – Acme`)),
    ...pages(2, 'p', (index) => page(`default:${index === 0 ? '' : index} – Acme`)),
    'u.html': '<p>A page without a title, which is called by the name of its site.</p>',
  })
  const { cards } = await recordedRun(folder, base)
  const titles = ['notes/n1.html', 'faq/f2.html', 'p0.html', 'u.html'].map(
    (file) => cards.get(file)?.['title'],
  )
  expect(titles).toEqual(['Note 1', 'FAQ: Topic 2', 'default:', 'Acme'])
})

test('a large picture of an article for readers without scripts is its picture, a small one is not', async () => {
  const markup = `<article><h1>Pools</h1><noscript><img src="/a.jpg" width="800" height="500"></noscript><p>${words.repeat(5)}</p></article>`
  expect((await read(markup)).parsed.fields.image?.url).toEndWith('/a.jpg')
  expect((await read(markup.replace('800', '1'))).parsed.fields.image).toBeNull()
})

test('the name in brackets of Javadoc, and the heading of pages that share a title', async () => {
  const { folder } = newSite(directory, {
    ...pages(4, 'c', (index) => page(`Class${index} (databind 2.9.0 API)`)),
    ...pages(3, 'm', (index) =>
      page('Member List (databind 2.9.0 API)').replace(/<h1>[^<]*/, `<h1>Class${index} members`),
    ),
  })
  const { cards } = await recordedRun(folder, base)
  expect(cards.get('c2.html')).toMatchObject({ title: 'Class2' })
  expect(cards.get('m1.html')).toMatchObject({ title: 'Class1 members' })
})

test('fragments, frames and the page of a server for what is missing have no card; a page called 404 has', async () => {
  const { folder } = newSite(directory, {
    'search/all_0.html': '<html><head><title></title></head><body><div>Loading...</div></body></html>',
    'overview-frame.html': page('Overview List'),
    'allclasses.html': page('All classes', '').replace(
      '</body>',
      '<a target="classFrame" href="a.html">A</a></body>',
    ),
    'de/404.html': page('Nicht gefunden'),
    'es-419/404.html': page('Nada'),
    'store/404/index.html': page('Store 404'),
  })
  const { cards, leftAlone } = await recordedRun(folder, base)
  expect([...cards.keys()]).toEqual(['store/404/index.html'])
  expect(leftAlone).toEqual({ fragment: 1, frame: 2, 'not found page': 2 })
})

test('a site that was built for localhost needs a base', async () => {
  const { folder } = newSite(directory, {
    'index.html': page('Home', '<link rel="canonical" href="http://localhost:1313/">'),
  })
  await expect(recordedRun(folder, undefined)).rejects.toThrow('Give --base')
})

test('a page that writes about a wall is no wall', async () => {
  for (const markup of [
    `<title>How Anubis works</title><h1>How Anubis works</h1><p>It writes &lt;script id="anubis_challenge"&gt; and id="px-captcha". ${words}</p>`,
    `<title>Access Denied | Blog</title><p>Akamai says that you don't have permission to access a page, and Reference #18.</p>`,
    `<title>Vercel Security Checkpoint</title><meta property="og:title" content="Vercel Security Checkpoint"><p>verifying your browser</p>`,
  ])
    expect(isWall((await read(markup)).parsed)).toBe(false)
})

test('a check names the pictures that no network shows', async () => {
  const site = newSite(directory, {
    'a.html': page('A', '<meta property="og:image" content="https://ex.org/hero.svg">'),
    'b.html': page('B', '<meta property="og:image" content="/hero.webp">'),
  })
  const check = await site.run('--base', base, '--check')
  expect(check.exitCode).toBe(0)
  expect(check.lines.join('\n')).toMatch(
    /a\.html: its og:image is an SVG.*\nb\.html: its og:image is relative.* WebP/,
  )
  expect((await site.run('--base', base, '--check', '--strict')).exitCode).toBe(1)
})

test('three pages of many that share a part of their titles, a description or a picture share nothing', async () => {
  const picture = '<meta property="og:image" content="https://ex.org/a.png">'
  const { folder } = newSite(directory, {
    ...pages(8, 'p', (index) => page(`Acme: Page ${index}`)),
    ...pages(3, 'm', () => page('Acme: Member List')),
    ...pages(3, 'n', (index) => page(`Acme: Picture ${index}`, picture)),
  })
  const { cards, leftAlone } = await recordedRun(folder, base)
  expect(cards.get('p1.html')).toMatchObject({ title: 'Page 1' })
  expect(cards.get('m1.html')).toMatchObject({ title: 'Member List' })
  expect(leftAlone).toEqual({ 'own picture': 3 })
})

test('what remains of a title is cut no further where it is the heading', async () => {
  const { folder } = newSite(directory, {
    ...pages(3, 'd/use-cache-', (index) =>
      page(`use cache: kind ${index} | Acme`).replace(/<h1>[^<]*/, `<h1>use cache: kind ${index}`),
    ),
    ...pages(6, 'p', (index) => page(`Page ${index} | Acme`)),
    'd/use-cache.html': page('use cache | Acme').replace(/<h1>[^<]*/, '<h1>use cache'),
  })
  const { cards } = await recordedRun(folder, base)
  const expected = ['use cache: kind 0', 'use cache: kind 1', 'use cache: kind 2', 'use cache']
  expect([...cards.values()].map(({ title }) => title).slice(0, 4)).toEqual(expected)
})

test('a day that most pages of a site have is the day of its build, and a place in a file is no description', async () => {
  const built = '<meta name="dc.created" content="2026-11-28">'
  const { folder } = newSite(directory, {
    ...pages(
      12,
      'c',
      (index) =>
        `${page(`Class${index} | Acme API`, built)}<p>Definition at line ${index}7 of file v8-profiler.h, below.</p>`,
    ),
    ...pages(3, 'n', (index) =>
      page(`Note ${index} | Acme API`, `<meta name="dc.created" content="2025-03-0${index + 1}">`),
    ),
  })
  const { cards } = await recordedRun(folder, base)
  expect(cards.get('c4.html')).toMatchObject({ title: 'Class4' })
  expect(cards.get('c4.html')).not.toHaveProperty('author')
  expect(cards.get('c4.html')).not.toHaveProperty('subtitle')
  expect(cards.get('n1.html')?.['author']).toEndWith('2 March 2025')
})

test('the heading that Doxygen writes without an element for it names pages that share a title', async () => {
  const { folder } = newSite(
    directory,
    pages(4, 'm', (index) =>
      page('Acme: Member List').replace(
        /<h1>.*<\/h1>/,
        `<div class="headertitle"><div class="title">acme::Part${index} Member List</div></div>`,
      ),
    ),
  )
  const { cards } = await recordedRun(folder, base)
  expect(cards.get('m1.html')).toMatchObject({ title: 'acme::Part1 Member List' })
})

test.each([
  ...(tables.words as [string, string, string | null][]),
  ...tables.licences.map(
    (text) => ['no licence of a program', `<h1>A</h1><p>${text}</p><p>{words}</p>`, '{words}'] as const,
  ),
])('the description of a page is %s', async (_, markup, description) => {
  const { fields } = (await read(`<title>Page</title>${markup.replaceAll('{words}', words)}`)).parsed
  expect(fields.description).toBe(description === '{words}' ? words : description)
})

test("Javadoc's lists of all that there is have no words of one class, and say their name once", async () => {
  const lists = {
    'allclasses-index': ['All Classes', 'class index'],
    'serialized-form': ['Serialized Form', 'serialized forms'],
    'class-use/Pool': ['Uses of Class Pool', 'use: class: Pool'],
    'package-use': ['Uses of Package', 'use: package: pools'],
    'index-all': ['Index', 'index'],
  }
  for (const [file, [heading, label]] of Object.entries(lists))
    for (const meta of ['', `<meta name="description" content="${label}">`]) {
      const url = `https://site.example.com/api/${file}.html`
      const markup = `<title>${heading} (Quarry 2.4 API)</title>${meta}<h1>${heading}</h1><div class="block">${words}</div><p>${words}</p>`
      expect((await read(markup, url)).subtitle).toBeUndefined()
      const isCode = markup.replace('<div', '<pre>public class Quarry</pre><div')
      expect(statedFacts((await read(isCode, url)).parsed, false).about.fits).toEqual([])
    }
})

test('one word is the author of a page where a link in the byline says so, and only there', async () => {
  const signed = '<h1>Notes</h1><p class="byline">by <a href="/people/ann" rel="author">richardlau</a></p>'
  expect((await read(signed)).parsed.fields.authors).toEqual(['richardlau'])
  expect((await read(signed.replace(' rel="author"', ''))).parsed.fields.authors).toEqual([])
  const setting =
    '<h1>Settings</h1><div id="default-reporter"><h3>DEFAULT_REPORTER<a href="#r">¶</a></h3><p>New in 3.1</p></div>'
  expect((await read(setting)).parsed.fields.authors).toEqual([])
  const account = signed.replace('richardlau', 'Fishrock123')
  expect((await read(account)).parsed.fields.authors).toEqual(['Fishrock123'])
})

test('a front page says the name of its site once', async () => {
  const { folder } = newSite(directory, {
    'index.html': page('Acme: Acme Reference Guide'),
    ...pages(3, 'p', (index) => page(`Acme: Page ${index}`)),
  })
  expect((await recordedRun(folder, base)).cards.get('index.html')?.['title']).toBe('Acme Reference Guide')
})

test('a list of posts below the heading dates none of them as the page', async () => {
  const lines = ['14 January 2015', '16 January 2015', '3 March 2016'].map((day) => `<li>A post ${day}</li>`)
  const list = (count: number) =>
    `<title>Archive</title><h1>Archive</h1><ol>${lines.slice(0, count).join('')}</ol>`
  expect((await read(list(3))).parsed.fields.published).toBeNull()
  expect((await read(list(1))).parsed.fields.published).toBe('2015-01-14')
})

test.each(tables.cards as [string, string, string | null][])(
  'the card of a page says %s',
  async (_, markup, subtitle) => {
    const { subtitle: found } = await read(`<title>Pools</title>${markup.replaceAll('{words}', words)}`)
    expect(found ?? null).toBe(subtitle === '{words}' ? words : subtitle)
  },
)

test('lists of a site have no words that its front page declares, and the pages of the front page have them', async () => {
  const site = '<meta name="description" content="Articles and guides about harbours of the north.">'
  const own = `<article><h2>A</h2><p>${words}</p></article>`
  const { folder } = newSite(directory, {
    'index.html': page('Acme', site) + own,
    ...pages(4, 'page/', (index) => `${page('Acme', site)}<p>${index} ${words}</p>`),
    ...pages(4, 'tags/', (index) => page(`Tag: t${index} | Acme`, site)),
    'archives/2018/05/index.html': page('Archive: 2018/5 | Acme', site),
    ...pages(4, 'p', (index) =>
      page(`Post ${index} | Acme`, `<meta name="description" content="${index} ${words}">`),
    ),
  })
  const { cards } = await recordedRun(folder, base)
  const said = (file: string) => cards.get(file)?.['subtitle']
  const text = 'Articles and guides about harbours of the north.'
  expect(['index.html', 'page/2.html'].map(said)).toEqual([text, text])
  expect(['tags/1.html', 'archives/2018/05/index.html'].map(said)).toEqual([undefined, undefined])
  expect(said('p1.html')).toBe(`1 ${words}`)
})

test('a part of titles that the heading has as well is no name of the site', async () => {
  const { folder } = newSite(directory, {
    ...pages(6, 'p', (index) => page(`Page ${index} | Acme`).replace(/<h1>[^<]*/, `<h1>Page ${index}`)),
    ...pages(3, 'api/', (index) =>
      page(
        `useCrane${index} | north-crane | Acme`,
        `<meta property="og:title" content="useCrane${index} | north-crane">`,
      ).replace(/<h1>[^<]*/, `<h1>useCrane${index} | north-crane</h1><h1>useCrane${index}`),
    ),
  })
  expect((await recordedRun(folder, base)).cards.get('api/1.html')?.['title']).toBe('useCrane1 | north-crane')
})

test('the time that a page says its reading takes, and the chapter that it is in, are on its card', async () => {
  const said = (line: string) => read(`<title>Pools</title><h1>Pools</h1><p>${line}</p><p>${words}</p>`)
  for (const line of ['May 3, 2025 · 7 min read', 'Lesezeit: 7 Minuten', '阅读时长: 7 分钟', '7 minute read'])
    expect(statedFacts((await said(line)).parsed, false).about.minutes).toBe('7')
  expect(statedFacts((await said('Wait 7 minutes')).parsed, false).about.minutes).toBeUndefined()
  const up = '<a accesskey=u href=pools.html title="Chapter 7. Pools">Up</a>'
  for (const markup of [up, '<link rel=up href=pools.html title="Chapter 7. Pools">'])
    expect((await read(`<title>7.1. Introduction</title>${markup}`)).parsed.fields.section).toBe(
      'Chapter 7. Pools',
    )
  expect((await read(up.replace('pools', 'index'))).parsed.fields.section).toBeNull()
})

test.each(tables.nobody)('no author and no day are in %s', async (markup) => {
  const { authors, published } = (
    await read(`<title>Pools</title>${markup.replace('{words}', words)}<p>${words}</p>`)
  ).parsed.fields
  expect([authors, published]).toEqual([[], null])
})
