import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { slowTest } from '../../support/test-size.ts'
import { parseXml } from '../../support/xml-tree.ts'
import bases from './bases.json' with { type: 'json' }
import { newSite, ownTags, page, previewOf } from './site.ts'

const directory = temporaryDirectory()

function canonical(path: string, base = 'https://a.example/'): string {
  return `<link rel="canonical" href="${base}${path}">`
}

const threePages = {
  'index.html': page('Acme Docs', canonical('')),
  'docs/start/index.html': page('Getting started | Acme Docs', canonical('docs/start/')),
  'about.html': page('About us | Acme Docs', canonical('about')),
}

describe('a site', () => {
  test('gets a card and its tags for each page, and nothing else of a page changes', async () => {
    const site = newSite(directory, threePages)
    const { exitCode, lines, errors } = await site.run()
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
    expect(lines).toHaveLength(5)
    expect(lines[0]).toContain('3 pages of https://a.example/ (Acme Docs)')
    expect(site.pictures()).toHaveLength(3)
    for (const [file, before] of Object.entries(threePages)) {
      const after = site.text(file)
      expect(after.replace(/\s*<meta [^>]* data-mintmark>/g, '')).toBe(before)
      const { image, twitter } = await previewOf(after)
      const name = image?.url.replace('https://a.example/og/', '') ?? ''
      expect(site.pictures()).toContain(name)
      expect(image).toMatchObject({ type: 'image/png', width: 1200, height: 630 })
      expect(twitter['card']).toBe('summary_large_image')
    }
    expect(ownTags(site.text('about.html'))).toMatchObject({
      'og:title': 'About us',
      'og:image:alt': 'About us',
    })
  })

  test('is not touched by a second run', async () => {
    const site = newSite(directory, threePages)
    await site.run()
    const before = site.state()
    const { lines } = await site.run()
    expect(site.state()).toEqual(before)
    expect(lines[1]).toBe('Cards: 3, 0 drawn, 0 from the cache')
    rmSync(site.cache, { recursive: true })
    await site.run()
    expect(site.state()).toEqual(before)
  })

  test('that was built again draws only what changed', async () => {
    const site = newSite(directory, threePages)
    await site.run()
    const pictures = site.pictures()
    rmSync(site.folder, { recursive: true })
    site.write({ ...threePages, 'about.html': page('About them | Acme Docs', canonical('about')) })
    const { lines } = await site.run()
    expect(lines[1]).toBe('Cards: 3, 1 drawn, 2 from the cache')
    expect(pictures.filter((name) => site.pictures().includes(name))).toHaveLength(2)
  })

  slowTest('keeps pictures outside of the folder for 90 days without use', async () => {
    const site = newSite(directory, threePages)
    await site.run()
    const kept = join(site.cache, 'pictures')
    const [old = '', ...recent] = readdirSync(kept).sort()
    utimesSync(join(kept, old), new Date(), new Date(Date.now() - 91 * 86_400_000))
    site.write({ 'about.html': page('About them | Acme Docs', canonical('about')) })
    await site.run()
    expect(readdirSync(kept)).not.toContain(old)
    expect(readdirSync(kept)).toEqual(expect.arrayContaining(recent))
  })

  test('keeps modes of files, and writes compressed copies again', async () => {
    const site = newSite(directory, {
      ...threePages,
      'about.html.gz': gzipSync('old'),
      'about.html.br': 'old',
      'about.html.zst': 'old',
    })
    chmodSync(join(site.folder, 'about.html'), 0o640)
    await site.run()
    const path = join(site.folder, 'about.html')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    const text = site.text('about.html')
    expect(gunzipSync(readFileSync(`${path}.gz`)).toString()).toBe(text)
    expect(brotliDecompressSync(readFileSync(`${path}.br`)).toString()).toBe(text)
    expect(zstdDecompressSync(readFileSync(`${path}.zst`)).toString()).toBe(text)
    expect(statSync(join(site.folder, 'index.html.gz'), { throwIfNoEntry: false })).toBeUndefined()
  })
})

slowTest('pages in UTF-16 and XHTML stay what they are, and get tags that fit', async () => {
  const wide = Buffer.from(`\ufeff${page('Широкая страница | Acme Docs', canonical('wide'))}`, 'utf16le')
  const strict = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Strict &amp; plain</title></head><body><p>x</p></body></html>`
  const site = newSite(directory, { ...threePages, 'wide.html': wide, 'strict.html': strict })
  await site.run()
  const written = readFileSync(join(site.folder, 'wide.html'))
  const { image, og, charset } = await previewOf(written)
  expect(charset.encoding).toBe('utf-16le')
  expect(image?.alt).toBe('Широкая страница')
  expect(og['title']).toBe('Широкая страница')
  expect(written.toString('utf16le').replace(/\s*<meta [^>]* data-mintmark>/g, '')).toBe(
    wide.toString('utf16le'),
  )
  const xml = site.text('strict.html')
  expect(() => parseXml(xml.slice(xml.indexOf('<html')))).not.toThrow()
  expect(xml.replace(/\s*<meta [^>]* data-mintmark="" \/>/g, '')).toBe(strict)
})

describe('pages are left alone', () => {
  const skipped = {
    '404.html': page('Not found'),
    'old/index.html':
      '<!doctype html><meta http-equiv="refresh" content="0; url=/docs/start/"><title>Moved</title>',
    'secret.html': page('Secret', '<meta name="robots" content="noindex, follow">'),
    'google1234.html': 'google-site-verification: google1234.html',
    'own.html': page('Own picture', '<meta property="og:image" content="/mine.png">'),
    'og/inside.html': page('Below the pictures'),
  }

  test('that are errors, redirects, not for search engines, no markup, or have a picture of their own', async () => {
    const site = newSite(directory, { ...threePages, ...skipped })
    const { exitCode, lines } = await site.run()
    expect(exitCode).toBe(0)
    for (const [file, text] of Object.entries(skipped)) expect(site.text(file)).toBe(text)
    expect(lines[3]).toBe('Left alone: 1 not found page, 1 no markup, 1 redirect, 1 own picture, 1 noindex')
  })

  test('unless --all and --replace ask for them', async () => {
    const site = newSite(directory, { ...threePages, ...skipped })
    await site.run('--all', '--replace')
    for (const file of ['404.html', 'old/index.html', 'secret.html', 'own.html'])
      expect(Object.keys(ownTags(site.text(file)))).toContain('og:image')
    const own = site.text('own.html')
    expect(own).not.toContain('mine.png')
    expect(own.replace(/\s*<meta [^>]* data-mintmark>/g, '')).toBe(
      (skipped['own.html'] ?? '').replace(/\s*<meta property="og:image"[^>]*>/, ''),
    )
    expect(site.text('google1234.html')).toBe(skipped['google1234.html'])
  })

  test('and lose the tags of an earlier run when they become one of these', async () => {
    const site = newSite(directory, threePages)
    await site.run()
    const hidden = site.text('about.html').replace('<title>', '<meta name="robots" content="noindex"><title>')
    site.write({ 'about.html': hidden })
    await site.run()
    expect(site.text('about.html')).not.toContain('data-mintmark')
  })

  slowTest('where symbolic links lead out of the folder', async () => {
    const site = newSite(directory, threePages)
    const outside = join(site.around, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'page.html'), page('Outside'))
    symlinkSync(outside, join(site.folder, 'linked'))
    symlinkSync(join(outside, 'page.html'), join(site.folder, 'linked.html'))
    expect((await site.run()).exitCode).toBe(0)
    expect(readFileSync(join(outside, 'page.html'), 'utf8')).toBe(page('Outside'))
  })
})

describe('the picture that most pages share', () => {
  const shared =
    '<meta property="og:image" content="https://a.example/default.png">\n  <meta name="twitter:image" content="/default.png">\n  <meta name="twitter:card" content="summary">'
  const files = {
    'index.html': page('Acme', canonical('') + shared),
    'a.html': page('A page | Acme', canonical('a') + shared),
    'b.html': page('B page | Acme', canonical('b') + shared),
    'c.html': page('C page | Acme', `${canonical('c')}<meta property="og:image" content="/c.png">`),
  }

  test('is replaced by cards, and stays replaced while single pages are built again', async () => {
    const site = newSite(directory, files)
    const { lines } = await site.run()
    expect(lines[4]).toBe('Default picture: replaced on 3 pages; --keep-default keeps it')
    const { image, twitter, images } = await previewOf(site.text('a.html'))
    expect(image?.url).toMatch(/\/og\/[0-9a-f]{32}\.png$/)
    expect(images).toHaveLength(1)
    expect(twitter).toEqual({ card: 'summary_large_image' })
    expect(site.text('c.html')).toBe(files['c.html'])
    const before = site.state()
    await site.run()
    expect(site.state()).toEqual(before)
    site.write({ 'b.html': files['b.html'] })
    await site.run()
    expect(site.text('b.html')).not.toContain('default.png')
  })

  test('stays with --keep-default', async () => {
    const site = newSite(directory, files)
    await site.run('--keep-default')
    for (const [file, text] of Object.entries(files)) expect(site.text(file)).toBe(text)
  })

  test('is a page’s own where only two pages have it', async () => {
    const { 'a.html': _, ...two } = files
    const site = newSite(directory, two)
    await site.run()
    expect(site.text('b.html')).toBe(files['b.html'])
  })
})

describe('the base', () => {
  const plain = {
    'index.html': page('Front'),
    'docs/a.html': page('A page of docs'),
    'docs/b/index.html': page('B page of docs'),
  }

  test.each(bases as unknown as [string, Record<string, string>, string[], string][])(
    'is that of %s',
    async (_, files, words, base) => {
      const site = newSite(directory, { ...plain, ...files })
      const { output } = await site.run(...words, '--dry-run', '--json')
      expect(JSON.parse(output)).toMatchObject({ base, pages: 3 })
    },
  )

  slowTest('is not that of a canonical link to another site', async () => {
    const site = newSite(directory, {
      ...threePages,
      'copied.html': page('Copied from elsewhere', canonical('2020/article', 'https://elsewhere.example/')),
    })
    await site.run()
    expect(ownTags(site.text('copied.html'))['og:image']).toStartWith('https://a.example/og/')
  })

  test('that cannot be found is asked for, and nothing is written', async () => {
    const site = newSite(directory, plain)
    const { exitCode, errors } = await site.run()
    expect(exitCode).toBe(1)
    expect(errors).toContain('Give --base https://example.com/')
    for (const [file, text] of Object.entries(plain)) expect(site.text(file)).toBe(text)
  })
})
