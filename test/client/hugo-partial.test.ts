import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cardTags } from '../../src/client/card-tags.ts'
import type { CardParameters } from '../../src/client/types.ts'
import { createUserProject, type UserProject } from '../support/user-project.ts'
import cases from './hugo-partial.json' with { type: 'json' }

const root = join(import.meta.dir, '../..')
const pair = { key: 'mk_2345678abcdefghj', secret: 'a'.repeat(64) }
const service = 'https://mintmark.example'
const exp = 2_000_000_000
const env = { HUGO_MINTMARK_URL: service, HUGO_MINTMARK_KEY: pair.key, HUGO_MINTMARK_SECRET: pair.secret }
const hasHugo = Bun.which('hugo') !== null
if (!hasHugo) console.log('left out, as hugo (Debian package hugo) is missing: the partial for Hugo')

describe.if(hasHugo)('a site that Hugo builds', () => {
  const cards = cases.cards as readonly Omit<CardParameters, 'title'>[]
  let site: UserProject
  beforeAll(() => {
    site = createUserProject({
      'hugo.toml': `disableKinds = ["taxonomy", "term", "home", "section"]\n[params.mintmark]\nexp = ${exp}\n`,
      'layouts/_default/single.html': '{{ partial "mintmark/card-tags.html" . }}',
    })
    cpSync(join(root, 'client/hugo'), join(site.folder, 'layouts/partials/mintmark'), { recursive: true })
  })
  afterAll(() => rmSync(site.folder, { recursive: true }))

  function page(card: object) {
    return `${JSON.stringify({ title: 'Hello, world', card })}\n`
  }

  test('has the tags that cardTags gives, in each format, with and without a brand', async () => {
    site.write(Object.fromEntries(cards.map((card, index) => [`content/page-${index}.md`, page(card)])))
    await site.run(['hugo'], env)
    for (const [index, card] of cards.entries()) {
      const built = readFileSync(join(site.folder, `public/page-${index}/index.html`), 'utf8')
      const expected = await cardTags(service, { title: 'Hello, world', ...card }, pair, { exp })
      expect(parsed(built)).toEqual(parsed(expected))
    }
  })

  test('is built without a warning where it has no settings of the partial, with addresses that do not end', async () => {
    const plain = createUserProject({
      'hugo.toml': 'disableKinds = ["taxonomy", "term", "home", "section"]\n',
      'content/hello.md': page({}),
    })
    cpSync(join(site.folder, 'layouts'), join(plain.folder, 'layouts'), { recursive: true })
    const said = await plain.run(['hugo'], env)
    const built = readFileSync(join(plain.folder, 'public/hello/index.html'), 'utf8')
    rmSync(plain.folder, { recursive: true })
    expect(said).not.toMatch(/warn/i)
    expect(parsed(built)).toEqual(parsed(await cardTags(service, { title: 'Hello, world' }, pair)))
  })

  test.each([
    ['a misspelt parameter', page({ autor: 'Ada' }), {}, 'og has no parameter autor'],
    ['a theme', page({ theme: 'papr' }), {}, 'theme must be one of aurora, paper'],
    ['a format', page({ format: 'gif' }), {}, 'format must be one of svg, png'],
    ['a width of 9999', page({ width: 9999 }), {}, 'width must be an integer from 300 to 2400, not 9999'],
    ['a quality in words', page({ format: 'jpeg', quality: 'best' }), {}, 'quality must be an integer'],
    ['width of an SVG', page({ format: 'svg', width: 600 }), {}, 'width is only for format png, jpeg, webp'],
    ['a colour', page({ accent: 'blurple' }), {}, 'accent must be the name of a colour'],
    ['a brand', page({ brand: 'Acme Inc.' }), {}, 'brand must be the slug of a brand'],
    ['a name that every object has', page({ constructor: 'x' }), {}, 'og has no parameter constructor'],
    ['exp in a card', page({ exp: 2_000_000_000 }), {}, 'exp goes into the site'],
    ['a secret in quotes', page({}), { HUGO_MINTMARK_SECRET: `"${pair.secret}"` }, 'SECRET must be 64 hex'],
    ['another key', page({}), { HUGO_MINTMARK_KEY: 'mk_a' }, 'KEY must be mk_ and 16'],
    ['the pair the wrong way round', page({}), { HUGO_MINTMARK_KEY: pair.secret }, 'KEY must be mk_'],
    ['milliseconds', page({}), { HUGO_PARAMS_MINTMARK_EXP: '2000000000000' }, 'exp must be unix seconds'],
  ])('is not built with a mistake: %s', async (_, text, changed, message) => {
    const wrong = createUserProject({ 'content/wrong.md': text })
    try {
      for (const name of ['hugo.toml', 'layouts'])
        cpSync(join(site.folder, name), join(wrong.folder, name), { recursive: true })
      const failed = await wrong.run(['hugo'], { ...env, ...changed }).catch(String)
      expect(failed).toContain(message)
      expect(failed).not.toContain(pair.secret)
    } finally {
      rmSync(wrong.folder, { recursive: true })
    }
  })
})

function parsed(html: string): (readonly [string | null, string | null])[] {
  const tags: [string | null, string | null][] = []
  const read = new HTMLRewriter().on('meta', {
    element(tag) {
      const name = tag.getAttribute('property') ?? tag.getAttribute('name')
      tags.push([name, unescaped(tag.getAttribute('content') ?? '')])
    },
  })
  read.transform(html)
  return tags
}

function unescaped(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
