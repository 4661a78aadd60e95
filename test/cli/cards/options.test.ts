import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { plainPng } from '../../support/pictures.ts'
import { rareText } from '../../support/rare-texts.ts'
import { slowTest } from '../../support/test-size.ts'
import { done, mintmark, mintmarkProcess, refusal } from '../support/mintmark.ts'
import cases from './options.json' with { type: 'json' }
import { newSite, ownTags, page, previewOf } from './site.ts'

const directory = temporaryDirectory()
const base = ['--base', 'https://a.example/']
const site = { 'index.html': page('Acme'), 'docs/a.html': page('A page'), 'blog/b.html': page('B page') }

test('file names with control characters are told without them', async () => {
  const { run } = newSite(directory, { 'a\u001b]0;x\u0007\u202e\nb.html': page('Acme') })
  for (const words of [['--check'], ['--check', '--json']]) {
    const { output } = await run(...base, ...words)
    expect(output).toContain('a\\u001b]0;x\\u0007\\u202e\\')
    expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  }
})

describe('nothing is written', () => {
  test('by --check, which names each stale page and why, and exits 1', async () => {
    const { run, state, write, text, folder } = newSite(directory, site)
    const before = state()
    const first = await run(...base, '--check')
    expect(first.exitCode).toBe(1)
    expect(first.lines).toEqual([
      'blog/b.html: has no tags of a card',
      'docs/a.html: has no tags of a card',
      'index.html: has no tags of a card',
      `${folder}: 3 of 3 pages would be written`,
    ])
    expect(state()).toEqual(before)
    await run(...base)
    const done = await run(...base, '--check')
    expect({ exitCode: done.exitCode, lines: done.lines }).toEqual({
      exitCode: 0,
      lines: [`${folder}: 0 of 3 pages would be written`],
    })
    write({ 'docs/a.html': text('docs/a.html').replace('<title>A', '<title>Another') })
    const changed = await run(...base, '--check')
    expect(changed.exitCode).toBe(1)
    expect(changed.lines[0]).toBe('docs/a.html: its card has changed, or its picture is missing')
  })

  test('by --check --strict, which exits 1 for what the layouts of cards warn of', async () => {
    const long = page(`A title of many words ${'that no card can show to its end '.repeat(8)}`)
    const { run } = newSite(directory, { 'index.html': page('Short'), 'long.html': long })
    const centred = [...base, '--align', 'center']
    await run(...centred)
    expect((await run(...centred, '--check')).exitCode).toBe(0)
    const { exitCode, lines } = await run(...centred, '--check', '--strict')
    expect({ exitCode, lines: lines.slice(0, -1) }).toEqual({
      exitCode: 1,
      lines: ['long.html: on its card, title does not fit and ends with an ellipsis'],
    })
  })

  test('a word of a page that names a template there is not, by its file and line', async () => {
    const wrong = page('A', '\n<meta name="mintmark:template" content="poem">')
    const { run } = newSite(directory, { 'a.html': wrong, 'b.html': page('B') })
    const { exitCode, errors } = await run(...base, '--check', '--strict')
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringMatching(/^a\.html: mintmark:template must be one of auto, standard, .* \(line \d+\)\n$/),
    ])
  })

  test('nor of a template whose facts a page lacks, which has the usual card and a warning', async () => {
    const named = page('A', '<meta name="mintmark:template" content="release">')
    const { run, text } = newSite(directory, { 'a.html': named, 'b.html': page('A') })
    const { exitCode, errors } = await run(...base)
    const expected = [0, 'a.html: lacks what the template release needs; its card is the usual one\n']
    expect([exitCode, errors]).toEqual(expected)
    const [one, other] = ['a.html', 'b.html'].map((file) => ownTags(text(file))['og:image'])
    expect(one).toBe(other)
  })

  test('by --dry-run, which exits 0', async () => {
    const { run, state } = newSite(directory, site)
    const before = state()
    expect((await run(...base, '--dry-run')).exitCode).toBe(0)
    expect(state()).toEqual(before)
  })
})

test('--json prints what was done for programs, and --quiet nothing', async () => {
  const { run } = newSite(directory, site)
  const { output } = await run(...base, '--json')
  expect(JSON.parse(output)).toMatchObject({
    base: 'https://a.example/',
    pages: [{ file: 'blog/b.html', title: 'B page', state: 'written' }, {}, {}],
    drawn: 3,
    failures: [],
  })
  expect(await run(...base, '--quiet')).toMatchObject({ exitCode: 0, output: '', errors: '' })
})

describe('looks', () => {
  test('themes hold for all pages or for a section, and a page’s own words win', async () => {
    const own = page(
      'A page',
      '<meta name="mintmark:title" content="Its own words"><meta name="mintmark:theme" content="paper">',
    )
    const { run, text, pictures } = newSite(directory, {
      ...site,
      'docs/own.html': own,
      'docs/twin.html': page('A page'),
    })
    await run(...base, '--theme', 'terminal', '--theme', 'docs/=grid')
    const images = Object.fromEntries(
      ['index.html', 'docs/a.html', 'docs/own.html', 'docs/twin.html'].map((file) => [
        file,
        ownTags(text(file))['og:image'],
      ]),
    )
    expect(images['docs/twin.html']).toBe(images['docs/a.html'] ?? '')
    expect(new Set(Object.values(images)).size).toBe(3)
    expect(pictures()).toHaveLength(4)
    expect(ownTags(text('docs/own.html'))).toMatchObject({
      'og:title': 'A page',
      'og:image:alt': 'Its own words',
    })
  })

  test('a theme file holds for all pages or for a section, until it changes; a name is a theme of the service', async () => {
    const own = page('A page', '<meta name="mintmark:theme" content="paper">')
    const { run, text, around } = newSite(directory, {
      ...site,
      'docs/own.html': own,
      'blog/a.html': page('A page'),
    })
    const [grid, mine] = [join(around, 'grid.yaml'), join(around, 'mine.json')]
    const { output } = await done(['theme', 'new', '--from', 'grid'])
    writeFileSync(grid, output)
    writeFileSync(mine, output.replace('scheme: light', 'scheme: dark'))
    const pictureOf = (file: string) => ownTags(text(file))['og:image']
    await run(...base, '--theme', 'grid', '--theme', 'blog/=terminal')
    const named = ['index.html', 'docs/a.html', 'docs/own.html', 'blog/a.html'].map(pictureOf)
    const files = [...base, '--theme', grid, '--theme', `docs/=${mine}`, '--theme', 'blog/=terminal']
    expect(await run(...files)).toMatchObject({ exitCode: 0, errors: '' })
    const drawn = ['index.html', 'docs/a.html', 'docs/own.html', 'blog/a.html'].map(pictureOf)
    expect(drawn).toEqual([named[0], expect.not.stringMatching(named[1] ?? ''), named[2], named[3]])
    expect((await run(...files, '--check')).exitCode).toBe(0)
    writeFileSync(mine, output)
    const { lines } = await run(...files, '--check')
    expect(lines[0]).toBe('docs/a.html: its card has changed, or its picture is missing')
    await run(...files)
    expect(pictureOf('docs/a.html')).toBe(named[1])
  })

  test('a theme file with mistakes stops the run before anything is written', async () => {
    const { run, state, around } = newSite(directory, site)
    const before = state()
    const theme = join(around, 'site.yaml')
    writeFileSync(theme, 'mintmark: 1\nscheme: sepia\nabuot: Ours\n')
    const { exitCode, output, errors } = await run(...base, '--theme', theme)
    expect([exitCode, output, state()]).toEqual([1, '', before])
    expect(errors).toContain(`${theme}:2:1: scheme `)
    expect(errors).toContain(`${theme}:3:1: abuot `)
  })

  slowTest('format, size and folder of pictures are as asked for', async () => {
    const { run, text, pictures, folder } = newSite(directory, site)
    await run(...base, '--format', 'webp', '--size', 'square', '--out', 'assets/cards')
    expect(pictures('assets/cards').filter((name) => name.endsWith('.webp'))).toHaveLength(3)
    expect(ownTags(text('index.html'))).toMatchObject({
      'og:image:type': 'image/webp',
      'og:image:width': '1080',
      'og:image:height': '1080',
    })
    expect(ownTags(text('index.html'))['og:image']).toStartWith('https://a.example/assets/cards/')
    expect(existsSync(join(folder, 'og'))).toBe(false)
  })

  slowTest(
    '--picture page puts the first large picture of a page into its card, read from the folder',
    async () => {
      const withPicture = page('A page').replace(
        '</h1>',
        '</h1><article><img src="/small.png"><img src="../large.png"></article>',
      )
      const files = { ...site, 'docs/a.html': withPicture, 'docs/twin.html': page('A page') }
      const { run, text } = newSite(directory, {
        ...files,
        'small.png': plainPng(64, 64),
        'large.png': plainPng(640, 400),
      })
      expect((await run(...base, '--picture', 'page')).errors).toBe('')
      const [pictured, twin] = ['docs/a.html', 'docs/twin.html'].map(
        (file) => ownTags(text(file))['og:image'],
      )
      expect(pictured).not.toBe(twin)
      expect(ownTags(text('docs/a.html'))['og:image:type']).toBe('image/jpeg')
    },
  )

  test('the face of a page’s author is read from the folder, and a card is drawn anew when it has changed', async () => {
    const person = { '@type': 'Person', name: 'Ann Lee', image: '/ann.png' }
    const data = { '@type': 'Article', author: person, datePublished: '2026-05-17' }
    const article = page('A page', `<script type="application/ld+json">${JSON.stringify(data)}</script>`)
    const own = article.replace('</title>', '</title><meta name="mintmark:face" content="ann.png">')
    const { run, text, write } = newSite(directory, { 'a.html': article, 'own.html': own })
    const pictureOf = async () => {
      expect((await run(...base)).errors).toBe('')
      return ownTags(text('a.html'))['og:image']
    }
    const initials = await pictureOf()
    write({ 'ann.png': plainPng(64, 64) })
    const face = await pictureOf()
    expect(face).not.toBe(initials)
    expect(ownTags(text('own.html'))['og:image']).toBe(face)
    write({ 'ann.png': plainPng(65, 65) })
    const expected = 'a.html: its card has changed, or its picture is missing'
    expect((await run(...base, '--check')).lines[0]).toBe(expected)
  })

  slowTest('--brand takes a folder, and cards are drawn anew when it has changed', async () => {
    const { run, around, words, text } = newSite(directory, site)
    const brand = join(around, 'acme')
    mkdirSync(brand)
    function write(theme: string): void {
      writeFileSync(join(brand, 'brand.json'), JSON.stringify({ name: 'Acme', slug: 'acme', theme }))
    }
    write('paper')
    await run(...base, '--brand', brand)
    const before = ownTags(text('index.html'))['og:image']
    expect((await run(...base, '--brand', brand)).lines[1]).toBe('Cards: 3, 0 drawn, 0 from the cache')
    write('grid')
    await run(...base, '--brand', brand)
    expect(ownTags(text('index.html'))['og:image']).not.toBe(before)
    const missing = await mintmark(words(...base, '--brand', 'other'), { env: { DATA_DIR: around } })
    expect(missing).toMatchObject({ exitCode: 1 })
    expect(missing.errors).toContain('--brand must be a folder with a brand.json')
  })

  slowTest('--brand of a database goes with pictures of pages and theme files', async () => {
    const picture = page('A page').replace('</h1>', '</h1><img src="/large.png">')
    const { around, words, text } = newSite(directory, { 'a.html': picture, 'large.png': plainPng(640, 400) })
    const [brand, theme] = [join(around, 'acme'), join(around, 'site.yaml')]
    mkdirSync(brand)
    writeFileSync(join(brand, 'brand.json'), '{"name":"Acme","slug":"acme","footer":"Since 1949"}')
    writeFileSync(theme, (await done(['theme', 'new'])).output)
    const env = { DATA_DIR: around }
    await done(['brand', 'import', brand], { env })
    const pictures: (string | undefined)[] = []
    for (const withTheme of [[], ['--theme', theme]])
      for (const more of [
        [],
        ['--picture', 'page'],
        ['--picture', 'page', '--brand', 'acme'],
        ['--brand', 'acme'],
      ]) {
        await done(words(...base, '--format', 'png', ...withTheme, ...more), { env })
        pictures.push(ownTags(text('a.html'))['og:image'])
      }
    expect(new Set(pictures).size).toBe(8)
  })

  slowTest('--sheet writes a page with every card', async () => {
    const { run, around, folder, pictures } = newSite(directory, site)
    const sheet = join(around, 'cards.html')
    await run(...base, '--sheet', sheet)
    const text = readFileSync(sheet, 'utf8')
    for (const name of pictures()) expect(text).toContain(`src="dist/og/${name}"`)
    expect(existsSync(join(folder, 'cards.html'))).toBe(false)
  })
})

describe('with a server', () => {
  const key = 'mk_23456789abcdefgh'
  const secret = '0123456789abcdef'.repeat(4)

  test('tags hold signed addresses, no picture is drawn, and the server is asked nothing', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { words, text, folder } = newSite(directory, site)
    const run = () =>
      mintmark(words(...base, '--server', `http://127.0.0.1:${port}`, '--key', key), {
        env: { MINTMARK_SECRET: secret },
      })
    expect(await run()).toMatchObject({ exitCode: 0, errors: '' })
    const { 'og:image': url = '' } = ownTags(text('docs/a.html'))
    const [, , , id, payload = '', signature = ''] = new URL(url).pathname.split(/[/.]/)
    expect(id).toBe(key)
    expect(Object.fromEntries(new URLSearchParams(Buffer.from(payload, 'base64url').toString()))).toEqual({
      title: 'A page',
      url: 'a.example',
      lang: 'en',
      overflow: 'ellipsis',
    })
    const mac = new Bun.CryptoHasher('sha256', secret).update(`GET /i/og/${key}/${payload}.png`).digest('hex')
    expect(signature).toBe(mac.slice(0, 32))
    expect(existsSync(join(folder, 'og'))).toBe(false)
    expect((await run()).lines[2]).toBe('Tags: 0 pages written, 3 unchanged')
    expect(requests).toBe(0)
    server.close()
  })

  test('a theme file is refused, because it belongs into a brand', async () => {
    const { words } = newSite(directory, site)
    const asked = words(...base, '--server', 'https://s.example', '--key', key, '--theme', './site.yaml')
    const errors = await refusal(asked, { env: { MINTMARK_SECRET: secret } })
    expect(errors).toContain('--theme ./site.yaml: a server cannot read the file. Put it into a brand')
  })

  test('texts whose characters need too many fonts are cut in addresses, and in pictures', async () => {
    const { words, text, write, run, pictures } = newSite(directory, site)
    const rare = rareText('ja', 200)
    write({ 'docs/a.html': page(`Tides ${rare}`) })
    const address = words(...base, '--server', 'https://s.example', '--key', key)
    await done(address, { env: { MINTMARK_SECRET: secret } })
    const { 'og:image': url = '' } = ownTags(text('docs/a.html'))
    const [, , , , payload = ''] = new URL(url).pathname.split(/[/.]/)
    const title = new URLSearchParams(Buffer.from(payload, 'base64url').toString()).get('title') ?? ''
    expect(title).toMatch(/^Tides .{40,150}…$/u)
    expect(`Tides ${rare}`).toStartWith(title.slice(0, -1))
    expect(await run(...base)).toMatchObject({ exitCode: 0, errors: '' })
    expect(pictures()).toHaveLength(3)
  })

  slowTest('the secret comes from a file or the standard input, and an option is warned of', async () => {
    const { words, around } = newSite(directory, site)
    const asked = words(...base, '--server', 'https://s.example', '--key', key)
    const file = join(around, 'secret')
    writeFileSync(file, `${secret}\n`)
    expect(await mintmarkProcess(asked, { env: { MINTMARK_SECRET_FILE: file } })).toMatchObject({
      exitCode: 0,
      errors: '',
    })
    expect(await mintmarkProcess([...asked, '--check'], { input: `${secret}\n` })).toMatchObject({
      exitCode: 0,
    })
    const given = await mintmarkProcess([...asked, '--check', '--secret', secret])
    expect(given.exitCode).toBe(0)
    expect(given.errors).toContain('--secret shows the secret')
    const none = await mintmarkProcess(asked)
    expect(none).toMatchObject({ exitCode: 1 })
    expect(none.errors).toContain('MINTMARK_SECRET_FILE')
  })
})

describe('pictures that no page names any more', () => {
  async function renamedSite() {
    const built = newSite(directory, site)
    await built.run(...base)
    const before = built.pictures()
    built.write({ 'docs/a.html': page('Another page') })
    await built.run(...base)
    return { ...built, old: before }
  }

  test('stay for 30 days, because networks keep their address', async () => {
    const { run, pictures, old, folder, state } = await renamedSite()
    expect(pictures()).toEqual(expect.arrayContaining(old))
    const before = state()
    await run(...base)
    expect(state()).toEqual(before)
    const manifest = join(folder, 'og/.mintmark.json')
    const text = readFileSync(manifest, 'utf8')
    function daysAgo(days: number): string {
      return text.replace(
        /\d{4}-\d\d-\d\d/,
        new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
      )
    }
    writeFileSync(manifest, daysAgo(28))
    await run(...base)
    expect(pictures()).toHaveLength(4)
    writeFileSync(manifest, daysAgo(31))
    await run(...base)
    expect(pictures()).toHaveLength(3)
  })

  slowTest('go at once with --prune, and stay while a page cannot be read', async () => {
    const { run, pictures, folder } = await renamedSite()
    const huge = join(folder, 'huge.html')
    writeFileSync(huge, Buffer.alloc(21_000_000, 'x'))
    expect((await run(...base, '--prune')).exitCode).toBe(1)
    expect(pictures()).toHaveLength(4)
    writeFileSync(huge, page('Small'))
    await run(...base, '--prune')
    expect(pictures()).toHaveLength(4)
  })
})

describe('what is wrong is told, and the rest is done', () => {
  test.each(cases.refused as [string, string[], string][])('%s', async (_, words, message) => {
    const { run, state } = newSite(directory, site)
    const before = state()
    const result = words[0] === 'cards' ? await mintmark(words) : await run(...words)
    expect(result.exitCode).toBe(1)
    expect(result.errors).toContain(message)
    expect(state()).toEqual(before)
  })

  test('a folder without a page, and a file in its place', async () => {
    const { run, around, folder } = newSite(directory, {})
    expect((await run()).errors).toBe(
      `${folder}: there is no HTML page in it. Build the site first, and name the folder that the build writes, such as dist, public or _site.\n`,
    )
    const file = join(around, 'file.html')
    writeFileSync(file, page('A'))
    expect((await mintmark(['cards', file])).errors).toBe(`${file}: it is a file, not a folder.\n`)
  })

  test('pages by file and reason: too large, and with words that no card takes', async () => {
    const { run, folder, text } = newSite(directory, {
      ...site,
      'wrong.html': page('Wrong', '<meta name="mintmark:theme" content="gothic">'),
      'misspelt.html': page('Misspelt', '<meta name="mintmark:titel" content="x">'),
    })
    writeFileSync(join(folder, 'huge.html'), Buffer.alloc(50_000_000, 'x'))
    const { exitCode, errors } = await run(...base)
    expect(exitCode).toBe(1)
    expect(errors).toContain('huge.html: it has 50.0 MB, and a page at most 20.0 MB\n')
    expect(errors).toContain('wrong.html: mintmark:theme must be one of')
    expect(errors).toContain('misspelt.html: mintmark:titel is no parameter of a card\n')
    for (const file of ['index.html', 'misspelt.html']) expect(text(file)).toContain('data-mintmark')
  })

  slowTest('a page without a title takes the name of the site, else the host, with a warning', async () => {
    const untitled = '<!doctype html><p>x</p>'
    const named = newSite(directory, {
      'a.html': untitled,
      'b.html': page('B', '<meta property="og:site_name" content="Acme">'),
    })
    const result = await named.run(...base)
    expect(result).toMatchObject({ exitCode: 0, errors: 'a.html: has no title; its card says "Acme"\n' })
    const alone = newSite(directory, { 'a.html': untitled })
    await alone.run(...base)
    expect(ownTags(alone.text('a.html'))['og:image:alt']).toBe('a.example')
  })
})

slowTest('names of any kind are pages like others', async () => {
  const stems = ['with space', 'a#b', 'a?b', '100%', 'é', 'e\u0301', '日本語/index', 'x'.repeat(250)]
  const names = stems.map((stem) => `${stem}.html`)
  const files = Object.fromEntries(names.map((name, index) => [name, page(`Page ${index}`)]))
  const { run, text } = newSite(directory, files)
  const { exitCode, lines } = await run(...base)
  expect(exitCode).toBe(0)
  expect(lines[2]).toBe('Tags: 8 pages written, 0 unchanged')
  for (const name of names) {
    const { image } = await previewOf(text(name))
    expect(image?.url).toStartWith('https://a.example/og/')
  }
})

slowTest(
  'a first run on nothing but a folder of the program needs no cache that can be written',
  async () => {
    const { folder, around } = newSite(directory, site)
    mkdirSync(join(around, 'node_modules'))
    writeFileSync(join(around, 'package.json'), '{}')
    writeFileSync(join(around, 'node_modules/.cache'), 'a file in its place')
    const { exitCode, errors } = await mintmark(['cards', folder, ...base])
    expect(exitCode).toBe(0)
    expect(errors).toContain('Nothing is kept for the next run')
  },
)
