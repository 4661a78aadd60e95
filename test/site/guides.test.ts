import { describe, expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { callerGuides, dividedGuides, guidePath, guides } from '../../src/site/guides/guides.ts'
import { renderMarkdown } from '../../src/site/guides/markdown.tsx'
import { parametersOf } from '../../src/site/reference/parameters.ts'
import { hasBrowser, openBrowser, pageTests } from '../admin/support/browser.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'

const server = started(startService)

async function textOf(path: string): Promise<string> {
  const answer = await fetch(server.url + path)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}

test.each(guides.map((guide) => [guidePath(guide), guide.file]))(
  '%s has every word and every line of code of %s, and examples that run against this server',
  async (path, file) => {
    const source = await Bun.file(file).text()
    const html = (await textOf(path)).replace(/<script.*?<\/script>|<wbr\/?>/gs, '')
    const shown = (await htmlText(html)).replace(/\s+/g, ' ')
    const own = source.replaceAll('https://mintmark.example', server.url)
    for (const [, code = ''] of own.matchAll(/^```\S*\n(.*?)^```$/gms))
      expect(shown).toContain(code.replace(/\s+/g, ' ').trim())
    const prose = own.replace(/^```.*?^```$/gms, '').replace(/\]\([^)\s]*\)/g, ']')
    for (const word of prose.match(/\p{L}{4,}/gu) ?? []) expect(shown).toContain(word)
    expect(html).not.toContain('https://mintmark.example')
  },
)

test.each(guides.map((guide) => [guidePath(guide), guide.file]))(
  '%s.md is %s as Markdown, whose links lead to pages of this server',
  async (path, file) => {
    const answer = await fetch(`${server.url}${path}.md`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    const text = await answer.text()
    const [heading = ''] = (await Bun.file(file).text()).split('\n')
    expect(text).toStartWith(`${heading}\n`)
    expect(text).not.toContain('https://mintmark.example')
    const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`]*`/g, '')
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]*)\)/g)) {
      expect(href).toMatch(/^(?:https?:|#)/)
      if (href.startsWith(server.url)) expect((await fetch(href)).status).toBe(200)
    }
    expect(await textOf(path)).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md"/>`)
  },
)

/** The prose of a guide, by its sentences: without code and tables, links as their text. */
function sentencesOf(source: string): readonly string[] {
  return source
    .replace(/^```.*?^```$|^\|.*$/gms, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n(?=\s*(?:[-#*]|\d+\.)\s)/)
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.?!:;])\)?\s+(?=[\p{Lu}`*_"“\d])/u))
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length
}

test('a guide has at most 600 words, and no sentence of more than 25', async () => {
  for (const { slug, file } of guides) {
    if (slug === 'reliability') continue
    const sentences = sentencesOf(await Bun.file(file).text())
    expect([slug, sentences.filter((sentence) => wordCount(sentence) > 25)]).toEqual([slug, []])
    const expected = [slug, true]
    expect([slug, sentences.reduce((sum, sentence) => sum + wordCount(sentence), 0) <= 600]).toEqual(expected)
  }
})

test('README and documents together have at most 24,000 words', async () => {
  const files = ['README.md', ...new Bun.Glob('docs/**/*.md').scanSync('.')]
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
  expect(texts.join(' ').trim().split(/\s+/).length).toBeLessThanOrEqual(24_000)
})

test('every anchor of a guide that was divided leads to a part that exists', async () => {
  for (const [slug, { parts }] of Object.entries(dividedGuides)) {
    const html = await textOf(`/docs/${slug}`)
    for (const [anchor, target] of Object.entries(parts)) {
      expect(html).toContain(`<li id="${anchor}"><a href="/docs/${target}">`)
      const [path, id] = target.split('#')
      const part = await textOf(`/docs/${path}`)
      if (id !== undefined) expect([target, part.includes(` id="${id}"`)]).toEqual([target, true])
    }
  }
})

test('an anchor that a guide had before stands at the heading that has its text now', async () => {
  for (const guide of guides)
    for (const [old, id] of Object.entries(guide.oldAnchors ?? {}))
      expect(await textOf(guidePath(guide))).toMatch(
        new RegExp(`<h[23] id="${id}">(?:<span id="[^"]+"></span>)*<span id="${old}">`),
      )
})

describe('llms-full.txt', () => {
  test('has every parameter, every error and every guide for callers', async () => {
    const text = await textOf('/llms-full.txt')
    for (const asset of assets) {
      expect(text).toContain(`## ${asset.title}\n`)
      for (const name of Object.keys(asset.query.properties)) expect(text).toContain(`- \`${name}\` (`)
    }
    for (const code of ['invalid_query', 'not_found', 'rate_limited'])
      expect(text).toContain(`- \`${code}\` (`)
    for (const guide of guides) {
      const markdown = await textOf(`${guidePath(guide)}.md`)
      expect([guide.slug, text.includes(markdown)]).toEqual([guide.slug, callerGuides(false).includes(guide)])
    }
  })

  test('is named by llms.txt, as are the guides as Markdown', async () => {
    const text = await textOf('/llms.txt')
    expect(text).toContain(`(${server.url}/llms-full.txt)`)
    for (const guide of callerGuides(false)) expect(text).toContain(`(${server.url}${guidePath(guide)}.md)`)
  })
})

async function htmlText(html: string): Promise<string> {
  let text = ''
  await new HTMLRewriter()
    .on('main', {
      text(chunk) {
        text += chunk.text
      },
    })
    .transform(new Response(html))
    .text()
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

describe('Markdown', () => {
  function render(source: string) {
    return renderMarkdown(source, (href) => (href.startsWith('./') ? undefined : href))
  }

  test('shows HTML as text, and follows no address but those of the web', () => {
    const { html } = render('# <b>Hi</b>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) `<i>`').body
    expect(html).not.toMatch(/<script|<b>Hi|<i>|javascript:/)
    expect(html).toContain('&lt;script&gt;')
  })

  test('names anchors as GitHub does, each once, so that links of the repository hold', () => {
    const { headings } = render(
      '# T\n\n## To the second, with `Litestream`\n\n## Same\n\n## Same\n\n## Über uns',
    )
    const expected = ['to-the-second-with-litestream', 'same', 'same-1', 'über-uns']
    expect(headings.map(({ id }) => id)).toEqual(expected)
  })

  test('keeps the text of a link to a file that is no page', () => {
    expect(render('see [the decision](./decisions/a.md).').body.html).toContain('see the decision.')
  })
})

test('what a search looks through has each guide, each asset and each error, at addresses that exist', async () => {
  const entries: string[][] = JSON.parse(await textOf('/docs/search.json'))
  const addresses = entries.map(([address = '']) => address)
  for (const guide of guides) expect(addresses).toContain(guidePath(guide))
  expect(addresses).toContain('/docs#og')
  expect(addresses).toContain('/docs/errors#rate_limited')
  expect(entries.map(([, , , heading]) => heading)).toContain('BASE_URL')
  for (const path of new Set(addresses.map((address) => address.split('#', 1)[0] ?? ''))) {
    const html = await textOf(path)
    for (const address of addresses) {
      const [page, anchor] = address.split('#')
      if (page === path && anchor !== undefined) expect(html).toContain(`id="${anchor}"`)
    }
  }
})

describe.skipIf(isQuick || !hasBrowser)('in a browser', () => {
  const it = pageTests(started(openBrowser))

  it('typing finds the section that says it, with one request for all searches, and the link leads there', async ({
    page,
  }) => {
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/docs/search.json')) requests += 1
    })
    await page.goto(`${server.url}/docs/astro`)
    const field = page.getByRole('searchbox')
    await field.fill('nothing says xyzzy')
    await page.getByText('Nothing found.').waitFor()
    await field.fill('Rotate SECRETS')
    await page.getByRole('link', { name: 'Rotate secrets' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/keys#rotate-secrets')
    expect(requests).toBe(1)
  })

  it('a search is opened by / and by Ctrl K, grouped, marks what was typed, and names a heading at most twice', async ({
    page,
  }) => {
    await page.goto(`${server.url}/docs/astro`)
    const field = page.getByRole('searchbox')
    for (const keys of ['/', 'Control+k']) {
      await page.keyboard.press(keys)
      expect(await field.evaluate((node) => node === document.activeElement)).toBe(true)
      await field.evaluate((node) => (node as HTMLElement).blur())
    }
    await field.fill('base_url')
    await page.locator('.found mark').first().waitFor()
    expect(await page.locator('.found b').allTextContents()).toContain('Settings')
    await field.fill('signed urls')
    await page.locator('.found a', { hasText: 'Signed URLs' }).first().waitFor()
    const headings = await page.locator('.found a').evaluateAll((links) =>
      links.map((link) =>
        [...link.childNodes]
          .filter(({ nodeName }) => nodeName !== 'DIV')
          .map(({ textContent }) => textContent)
          .join(''),
      ),
    )
    for (const heading of headings)
      expect(headings.filter((other) => other === heading).length).toBeLessThanOrEqual(2)
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('')
  })

  it('the reference shows the parameters that have what is typed, and every block of code has its button', async ({
    page,
  }) => {
    await page.goto(`${server.url}/docs`)
    const filter = page.getByLabel('Filter the parameters of Share card')
    await filter.fill('COLOUR SCHEME')
    await page.locator('#og-title').waitFor({ state: 'hidden' })
    expect(
      await page.locator('#og .terms > div:visible').evaluateAll((terms) => terms.map(({ id }) => id)),
    ).toEqual(['og-scheme'])
    await filter.fill('')
    await page.locator('#og-title').waitFor()
    expect(await page.locator('pre:not(.code > pre)').count()).toBe(0)
  })

  it('a block of code is copied as it stands', async ({ page }) => {
    await page.goto(`${server.url}/docs/starlight`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.trim()).toBe('npx astro build\nmintmark cards ./dist')
  })
})

test('a parameter has an anchor, and what it is when it is missing stands as its default and nowhere else', async () => {
  const html = await textOf('/docs')
  for (const asset of assets)
    for (const { name, description, required, fallback, whenMissing } of parametersOf(asset.query)) {
      expect([asset.id, name, description]).toEqual([
        asset.id,
        name,
        expect.not.stringMatching(/when missing|\bdefaults?\b/),
      ])
      const [, rest = ''] = html.split(`<div id="${asset.id}-${name}">`)
      const term = (await htmlText(`<main>${rest.split('</dd>', 1)[0]}</main>`)).trim()
      const byDefault = fallback ?? whenMissing
      expect(term).toStartWith(name)
      if (required) expect(term).toContain('required')
      else if (byDefault) expect(term).toEndWith(`. Default: ${byDefault}`)
    }
})

test('OpenAPI says in words what holds where a parameter is missing', async () => {
  const text = await (await fetch(`${server.url}/openapi.json`)).text()
  expect(text).toContain('How many seconds the answer may be cached. When missing: 86400.')
  expect(text).not.toContain('whenMissing')
})

test('the reference names the origin at which it was asked for, however many came in between', async () => {
  const hosts = Array.from({ length: 12 }, (_, n) => `site${n}.example.com`)
  for (const host of [...hosts, ...hosts.toReversed()]) {
    const html = await (await fetch(`${server.url}/docs`, { headers: { host } })).text()
    expect(html).toContain(`http://${host}/docs`)
    expect(new Set(html.match(/site\d+\.example\.com/g))).toEqual(new Set([host]))
  }
})

test.each([
  ['og', 'theme'],
  ['og', 'size'],
  ['badge', 'style'],
  ['avatar', 'shape'],
  ['avatar', 'style'],
])('every value of %s’s %s has a picture with its size and a text', async (id, parameter) => {
  const html = await (await fetch(`${server.url}/docs`)).text()
  const [section = ''] = html.split(`class="looks of-${id} is-${parameter}"`)[1]?.split('class="looks') ?? []
  const { query } = assets.find((asset) => asset.id === id) ?? {}
  for (const value of query?.properties[parameter as never]?.['enum'] ?? []) {
    const figures = section.split('<figure>').filter((figure) => figure.includes(`>${parameter}=${value}<`))
    expect([value, figures.length]).toEqual([value, parameter === 'theme' ? 2 : 1])
    for (const figure of figures) {
      expect(figure).toMatch(/<img src="[^"]+" width="\d+" height="\d+" alt="[^"]*\w[^"]*" loading="lazy"/)
      const answer = await fetch(server.url + (/src="([^"]+)"/.exec(figure)?.[1] ?? ''))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    }
  }
})

describe.skipIf(isQuick || !hasBrowser)('the contents of the reference', () => {
  const it = pageTests(started(openBrowser))

  it('mark the section that is read, wherever the reader came from', async ({ page }) => {
    await page.setViewportSize({ width: 1360, height: 900 })
    const marked = page.locator('.contents [aria-current=true]')
    await page.goto(`${server.url}/docs`)
    expect(await marked.textContent()).toBe('Quick start')
    const links = await page.locator('.contents a[href^="#"]').all()
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) {
      const name = (await link.textContent()) ?? ''
      await link.click()
      await page.locator('.contents [aria-current=true]', { hasText: name }).waitFor()
      expect(await marked.count()).toBe(1)
    }
    await page.evaluate(() => document.getElementById('badge')?.scrollIntoView())
    await page.locator('.contents [aria-current=true]', { hasText: 'Badge' }).waitFor()
    await page.goto(`${server.url}/docs/errors`)
    expect(await marked.textContent()).toBe('Problems')
  })
})
