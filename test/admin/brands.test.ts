import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { themeFileText } from '../../src/assets/og/engine/read-theme.ts'
import { templateNames, templateOf } from '../../src/assets/og/templates.ts'
import { started } from '../support/started.ts'
import { sampleOf, slowTest } from '../support/test-size.ts'
import cases from './brands.json' with { type: 'json' }
import { openAdminServer } from './support/admin-server.ts'
import { fileLimits, logoFile, problemsIn, sendBrand, valleyFile } from './support/brand-forms.ts'
import { loggedIn, logIn, send } from './support/operator.ts'

const server = started(openAdminServer)
const operator = loggedIn(server)

const twoColors = new File(
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0h40v40H0z" fill="#0b5c8a"/><circle cx="20" cy="20" r="11" fill="#ffd166"/></svg>',
  ],
  'two-colors.svg',
)
const fontDirectory = join(
  import.meta.dirname,
  '../../node_modules/@fontsource-variable/noto-serif-tamil/files',
)

interface CardLayout {
  readonly template: string
  readonly theme: string
  readonly texts: Readonly<Record<string, { readonly lines: readonly string[] }>>
}

let made = 0

function save(fields: Parameters<typeof sendBrand>[2], slug?: string): Promise<Response> {
  return sendBrand(server, operator, fields, slug)
}

async function makeBrand(fields: Readonly<Record<string, string | File>> = {}): Promise<string> {
  const slug = `brand-${++made}`
  const answer = await save({ name: 'Harbour', slug, ...fields })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/admin/brands/${slug}`])
  return slug
}

async function brandsNow(): Promise<readonly string[]> {
  const found = (await operator.page('/admin/brands')).matchAll(
    /<a class="name" href="\/admin\/brands\/([^"]+)"/g,
  )
  return [...found].map(([, slug = '']) => slug)
}

function missing(html: string, ...texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !html.includes(text))
}

function picturesIn(html: string, part: string): readonly string[] {
  const found = html.matchAll(new RegExp(`<img[^>]* src="(/admin/brands/[^"]*/${part}\\?[^"]*)"`, 'g'))
  return [...new Set([...found].map(([, url = '']) => url.replaceAll('&amp;', '&')))]
}

/** How many cards of the preview of a page are drawn. The frames of networks have one more in common. */
async function cardsIn(html: string): Promise<number> {
  const types = await Promise.all(picturesIn(html, 'card').map(pictureType))
  return types.filter((type) => type?.startsWith('image/')).length - 1
}

async function pictureType(url: string): Promise<string | null> {
  const answer = await operator.get(url)
  await answer.arrayBuffer()
  return answer.status === 200 ? answer.headers.get('content-type') : null
}

function keptToken(html: string, field: string): string | undefined {
  return new RegExp(`name="kept-${field}" value="([0-9a-f]+)"`).exec(html)?.[1]
}

describe('a brand', () => {
  test('is made in one form, and then in the list, on its page and in the audit log', async () => {
    const slug = await makeBrand({
      name: 'Acme <Harbour>',
      theme: 'poster',
      scheme: 'dark',
      accent: '#0891B2',
      ground: '102a43',
      ground2: '0b7',
      footer: 'acme.example',
      focus: '20, 80',
      access: 'keys',
      logo: logoFile,
    })
    expect(await brandsNow()).toContain(slug)
    const page = await operator.page(`/admin/brands/${slug}`)
    for (const shown of cases.shown) expect(missing(page, shown)).toEqual([])
    expect(missing(page, 'No key that works may use it yet')).toEqual([])
    expect(await cardsIn(page)).toBe(12)
    const audit = await operator.page('/admin/audit')
    expect(missing(audit, 'brand.create', `<a href="/admin/brands/${slug}">`)).toEqual([])
  })

  test('keeps what a form leaves out, and drops what it removes', async () => {
    const slug = await makeBrand({ theme: 'paper', logo: logoFile })
    await save({ accent: 'ff8800' }, slug)
    const second = await operator.page(`/admin/brands/${slug}`)
    expect(missing(second, 'harbour-mark.svg')).toEqual([])
    expect(missing(second, '<option value="paper" selected')).toEqual([])
    await save({ remove: 'logo', accent: '' }, slug)
    const third = await operator.page(`/admin/brands/${slug}`)
    expect(missing(third, 'harbour-mark.svg')).not.toEqual([])
    expect(missing(third, 'value="ff8800"')).not.toEqual([])
    expect(missing(third, `${slug}@3`)).toEqual([])
  })

  slowTest('goes back to an older revision by a new one', async () => {
    const slug = await makeBrand({ accent: 'ff8800', logo: logoFile })
    await save({ accent: '0891b2', remove: 'logo' }, slug)
    const answer = await operator.post(`/admin/brands/${slug}/newest`, { revision: '1' })
    expect(answer.status).toBe(303)
    const page = await operator.page(`/admin/brands/${slug}`)
    expect(missing(page, `${slug}@3`)).toEqual([])
    expect(missing(page, 'value="ff8800"')).toEqual([])
    expect(missing(page, 'harbour-mark.svg')).toEqual([])
    for (const revision of ['0', '4', '-1', '1.5', 'x', ''])
      expect((await operator.post(`/admin/brands/${slug}/newest`, { revision })).status).toBe(400)
  })

  test('is what the public address draws, until it is archived', async () => {
    const slug = await makeBrand({ theme: 'poster', accent: '0891b2' })
    async function card(query: string) {
      const answer = await fetch(`${server.url}/api/og?title=Hello&demo=1&${query}`)
      return [answer.status, await answer.text()] as const
    }
    const drawn = await card(`brand=${slug}`)
    expect(drawn).toEqual(await card('theme=poster&accent=0891b2'))
    await save({ theme: 'paper' }, slug)
    expect(await card(`brand=${slug}@1`)).toEqual(drawn)
    expect(await card(`brand=${slug}`)).toEqual(await card('theme=paper&accent=0891b2'))
    await operator.post(`/admin/brands/${slug}/archive`)
    expect((await card(`brand=${slug}`))[0]).toBe(400)
    await operator.post(`/admin/brands/${slug}/restore`)
    expect(await card(`brand=${slug}@1`)).toEqual(drawn)
  })

  test('has a theme file that is drawn, frozen, given back, kept, replaced and removed', async () => {
    const themeFile = `# Ours\n${await themeFileText('grid')}`
    const slug = await makeBrand({ theme: 'paper', themeFile: new File([themeFile], 'ours.yaml') })
    async function card(query: string) {
      const answer = await fetch(`${server.url}/api/og?title=Hello&demo=1&${query}`)
      return { etag: answer.headers.get('etag'), svg: await answer.text() }
    }
    const [grid, poster] = [(await card('theme=grid')).svg, (await card('theme=poster')).svg]
    const first = await card(`brand=${slug}`)
    expect(first.svg).toBe(grid)
    expect((await card(`brand=${slug}&theme=poster`)).svg).toBe(poster)
    const given = await operator.get(`/admin/brands/${slug}/1/theme.yaml`)
    expect([given.status, await given.text()]).toEqual([200, themeFile])
    const page = await operator.page(`/admin/brands/${slug}`)
    expect(missing(page, `<a href="/admin/brands/${slug}/1/theme.yaml">ours.yaml</a>`)).toEqual([])

    await save({ name: 'Kept' }, slug)
    expect((await card(`brand=${slug}`)).svg).toBe(grid)
    const replaced = new File([await themeFileText('poster')], 'ours.json')
    await save({ themeFile: replaced }, slug)
    const third = await card(`brand=${slug}`)
    expect([third.svg, third.etag === first.etag]).toEqual([poster, false])
    await save({ remove: 'themeFile' }, slug)
    expect((await card(`brand=${slug}`)).svg).toBe((await card('theme=paper')).svg)
    expect(await card(`brand=${slug}@1`)).toEqual(first)
    for (const path of [`${slug}/4`, `${slug}/5`, `${slug}/0`, 'nobody/1'])
      expect((await operator.get(`/admin/brands/${path}/theme.yaml`)).status).toBe(404)
  })

  test('has its footer line in the place of the domain where its form says so, and explicit parameters win', async () => {
    const slug = await makeBrand({ theme: 'grid', footer: 'Notes from the coast' })
    const saved = await save({ footerInPlaceOf: 'domain', align: 'start' }, slug)
    expect(saved.status).toBe(303)
    async function layout(query: string) {
      const answer = await fetch(`${server.url}/api/og.json?title=Hello&url=acme.example&demo=1&${query}`)
      const { texts, theme } = (await answer.json()) as CardLayout
      return { theme, lines: [texts['domain']?.lines, texts['footer']?.lines] }
    }
    const line = ['Notes from the coast']
    const before = { theme: 'grid', lines: [['acme.example'], line] }
    expect(await layout(`brand=${slug}@1`)).toEqual(before)
    expect(await layout(`brand=${slug}`)).toEqual({ theme: 'grid', lines: [undefined, line] })
    expect(await layout(`brand=${slug}&theme=plain&align=start`)).toMatchObject({ theme: 'plain' })
    const page = await operator.page(`/admin/brands/${slug}`)
    expect(missing(page, '<option value="domain" selected', '<option value="start" selected')).toEqual([])
    const wrong = await save({ footerInPlaceOf: 'title', align: 'middle' }, slug)
    expect(Object.keys(problemsIn(await wrong.text()))).toEqual(['align', 'footerInPlaceOf'])
    expect(wrong.status).toBe(422)
    await save({ footerInPlaceOf: '', align: '' }, slug)
    expect(await layout(`brand=${slug}`)).toEqual(before)
  })

  test('has a template for cards that name none and have what it requires', async () => {
    const slug = await makeBrand()
    for (const name of templateNames) {
      await save({ template: name }, slug)
      const drawn = ['', '&template=standard'].map(async (query) => {
        const url = `${server.url}/api/og.json?title=Hello&author=Ada&demo=1&brand=${slug}${query}`
        return ((await (await fetch(url)).json()) as CardLayout).template
      })
      const expected = templateOf(name)?.required === undefined ? name : 'standard'
      expect(await Promise.all(drawn)).toEqual([expected, 'standard'])
    }
    const wrong = await save({ template: 'poem' }, slug)
    expect(Object.keys(problemsIn(await wrong.text()))).toEqual(['template'])
  })

  test('has the focus that was found in its picture, until somebody chooses another one', async () => {
    const valley = new File([valleyFile.buffer], 'valley.jpg')
    const focusOf = (html: string) => /<input value="([^"]*)"[^>]* name="focus"/.exec(html)?.[1]
    const slug = await makeBrand({ focus: '' })
    const offered = await save({ picture: valley, focus: '', preview: '1' }, slug)
    const found = focusOf(await offered.text())
    expect(found).toMatch(/^6\d,6\d$/)
    await save({ picture: valley }, slug)
    expect(focusOf(await operator.page(`/admin/brands/${slug}`))).toBe(found)
    await save({ picture: valley, focus: '20,30' }, slug)
    await save({ picture: valley }, slug)
    expect(focusOf(await operator.page(`/admin/brands/${slug}`))).toBe('20,30')
    // Without a new picture nothing is found, as in a revision of before.
    await save({ focus: '' }, slug)
    expect(focusOf(await operator.page(`/admin/brands/${slug}`)) || 'none').toBe('none')
  })

  test('has URLs on its page that are answered as they are pasted, whoever may use it', async () => {
    /** The URLs, and what a paste of each answers. */
    async function pasted(slug: string) {
      const html = await operator.page(`/admin/brands/${slug}`)
      const urls = [...html.matchAll(/<code id="use-\w+"[^>]*>(.*?)<\/code>/g)].map(([, code = '']) =>
        code.replaceAll('<wbr/>', '').replaceAll('&amp;', '&'),
      )
      return await Promise.all(urls.map(async (url) => (await fetch(url)).status))
    }
    const open = await makeBrand()
    expect(await pasted(open)).toEqual([200, 200])
    const chosen = await makeBrand({ access: 'keys' })
    expect(await pasted(chosen)).toEqual([])
    const keys = []
    for (const name of ['revoked', 'badges', 'good']) {
      const key = await operator.createKey({ name, ...(name === 'badges' && { assets: 'badge' }) })
      await operator.post(`/admin/keys/${key.id}/brands`, { slug: chosen })
      keys.push(key)
    }
    await operator.post(`${keys[0]?.path}/revoke`)
    expect(await pasted(chosen)).toEqual([200, 200])
    expect(
      missing(await operator.page(`/admin/brands/${chosen}`), 'Signed with', `${keys[2]?.id}/<wbr/>`),
    ).toEqual([])
    await operator.post(`/admin/brands/${open}/archive`)
    expect(await pasted(open)).toEqual([])
    expect(missing(await operator.page(`/admin/brands/${open}`), 'The brand is archived')).toEqual([])
  })

  test('says before it is archived what will break, and can be restored', async () => {
    const slug = await makeBrand()
    const expected = 'No card was drawn with this brand'
    expect(await operator.page(`/admin/brands/${slug}/archive`)).toContain(expected)
    expect((await operator.post(`/admin/brands/${slug}/archive`)).status).toBe(303)
    expect(missing(await operator.page(`/admin/brands/${slug}`), 'Archived')).toEqual([])
    expect((await operator.post(`/admin/brands/${slug}/restore`)).status).toBe(303)
    expect(missing(await operator.page(`/admin/brands/${slug}`), 'Archived')).not.toEqual([])
    const log = await operator.page('/admin/audit')
    for (const action of ['brand.archive', 'brand.restore']) expect(missing(log, action)).toEqual([])
  })

  test('that does not exist is a 404 on every path', async () => {
    expect((await save({ name: 'a' }, 'none')).status).toBe(404)
    for (const path of ['', '/archive', '/1/card'])
      expect((await operator.get(`/admin/brands/none${path}`)).status).toBe(404)
    for (const path of ['/archive', '/restore', '/newest'])
      expect((await operator.post(`/admin/brands/none${path}`)).status).toBe(404)
    const slug = await makeBrand()
    for (const revision of ['0', '2', 'x', '1e0'])
      expect((await operator.get(`/admin/brands/${slug}/${revision}/card`)).status).toBe(404)
    expect((await operator.get(`/admin/brands/${slug}/%00/card`)).status).toBe(400)
  })

  test('for chosen keys is chosen on the page of a key', async () => {
    const slug = await makeBrand({ access: 'keys' })
    const { path, id } = await operator.createKey()
    const chosen = await operator.post(`${path}/brands`, [
      ['slug', slug],
      ['slug', slug],
    ])
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${path}#brands`])
    const ticked = `value="${slug}" checked`
    expect(missing(await operator.page(path), ticked)).toEqual([])
    expect(missing(await operator.page(`/admin/brands/${slug}`), id)).toEqual([])
    const unknown = await operator.post(`${path}/brands`, { slug: 'nothing' })
    const expected = [400, true]
    expect([unknown.status, (await unknown.text()).includes('There is no brand nothing.')]).toEqual(expected)
    expect((await operator.post('/admin/keys/mk_2222222222222222/brands', { slug })).status).toBe(404)
    expect((await operator.post(`${path}/brands`)).status).toBe(303)
    expect(missing(await operator.page(path), ticked)).toEqual([ticked])
    expect(missing(await operator.page('/admin/audit'), 'key.brands')).toEqual([])
  })
})

describe('a mistake', () => {
  const wrongTexts: readonly (readonly [field: string, value: string])[] = [
    ...(cases.wrongTexts as [field: string, value: string][]),
    ['name', 'n'.repeat(81)],
    ['slug', 'a'.repeat(41)],
    ['footer', 'f'.repeat(121)],
  ]
  test.each(sampleOf(wrongTexts, 17))(
    'in %s (%p) stands at the field, with the form as it was typed',
    async (field, value) => {
      const typed = { name: 'Kept name', slug: 'kept-slug', footer: 'kept footer', [field]: value }
      const answer = await save(typed)
      const page = await answer.text()
      expect(answer.status).toBe(422)
      expect(Object.keys(problemsIn(page))).toEqual([field])
      for (const [name, text] of Object.entries(typed)) {
        if (name !== field) expect(missing(page, `value="${text}"`)).toEqual([])
      }
      expect(missing(page, `href="#${field}"`)).toEqual([])
      expect(await brandsNow()).not.toContain('kept-slug')
    },
  )

  slowTest('in several fields is named at each of them', async () => {
    const answer = await save({ name: '', slug: '', accent: 'x', logo: new File([], 'a.svg') })
    expect(Object.keys(problemsIn(await answer.text())).sort()).toEqual(['accent', 'logo', 'name', 'slug'])
  })

  test('is told once, at its field, and the summary leads there', async () => {
    const answer = await save({ name: 'Told', slug: 'told', accent: 'x', focus: '101,5' })
    const page = await answer.text()
    const told = Object.values(problemsIn(page))
    expect(told).toHaveLength(2)
    for (const sentence of told) expect([sentence, page.split(sentence).length - 1]).toEqual([sentence, 1])
    expect(missing(page, '2 fields have mistakes', 'href="#accent"', 'href="#focus"')).toEqual([])
  })

  test('of a slug that is taken, or changed, names the slug', async () => {
    const slug = await makeBrand()
    const taken = await save({ name: 'Other', slug })
    expect(problemsIn(await taken.text())['slug']).toContain('is taken')
    const changed = await save({ name: 'Other', slug: 'another' }, slug)
    const expected = [422, expect.stringContaining(`must stay ${slug}`)]
    expect([changed.status, await changed.text()]).toEqual(expected)
  })

  const fileFields = Object.entries(fileLimits) as [keyof typeof fileLimits, number][]
  test.each(sampleOf(fileFields, 4))(
    'in the file %s stands at the field, and nothing is stored',
    async (field, bytesMax) => {
      const files = {
        'an empty one': new File([], 'a.bin'),
        'no such file': new File(['GIF89a, and then nothing of the kind'], 'a.svg', {
          type: 'image/svg+xml',
        }),
        'one byte too large': new File(['x'.repeat(bytesMax + 1)], 'a.bin'),
      }
      for (const file of Object.values(files)) {
        const answer = await save({ name: 'Files', slug: 'files', [field]: file })
        const page = await answer.text()
        expect([file.name, answer.status, Object.keys(problemsIn(page))]).toEqual([file.name, 422, [field]])
        expect(keptToken(page, field)).toBeUndefined()
      }
      expect(await brandsNow()).not.toContain('files')
    },
  )

  test('in a theme file is told with its line, column and field, all at once, and a warning refuses nothing', async () => {
    const right = await themeFileText('grid')
    const wrong = right.replace(/^about:.*$/m, 'abut: Ours').replace('light', 'lite')
    async function send(content: string | Uint8Array<ArrayBuffer>) {
      const themeFile = new File([content], 'ours.yaml')
      const answer = await save({ name: 'Wrong', slug: 'wrong', themeFile })
      return [answer.status, problemsIn(await answer.text())['themeFile'] ?? ''] as const
    }
    const [status, problem] = await send(wrong)
    expect(status).toBe(422)
    const told = [...problem.matchAll(/Theme file line (\d+), column (\d+): (\S+) /g)]
    const expected = [
      ['3', '1', 'abut'],
      ['4', '1', 'scheme'],
    ]
    expect(told.map(([, ...place]) => place)).toEqual(expected)
    for (const content of [new Uint8Array([0x61, 0xff]), new Uint8Array([0x61, 0])])
      expect(await send(content)).toEqual([422, 'Theme file must be YAML or JSON, as text in UTF-8.'])
  })

  slowTest('of a field that comes twice, or is text in place of a file, names the field', async () => {
    const odd = {
      accent: ['ff8800', '0891b2'],
      theme: new File(['paper'], 'a.txt'),
      logo: [logoFile, logoFile],
      picture: 'text',
    }
    for (const [field, value] of Object.entries(odd)) {
      const answer = await save({ name: 'Odd', slug: 'odd', [field]: value })
      expect([answer.status, Object.keys(problemsIn(await answer.text()))]).toEqual([422, [field]])
    }
    const removed = await save({ name: 'Odd', slug: 'odd', remove: 'everything' })
    const expected = [422, expect.stringContaining('The field remove must be')]
    expect([removed.status, await removed.text()]).toEqual(expected)
  })
})

describe('a preview', () => {
  slowTest('shows what was typed and stores nothing', async () => {
    const answer = await save({ name: 'Draft', slug: 'draft', sample: 'مرحبا', preview: '1' })
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(await cardsIn(page)).toBe(12)
    expect(missing(page, 'value="مرحبا"')).toEqual([])
    expect(await brandsNow()).not.toContain('draft')
  })

  test('offers the colours of the logo, and one that is chosen is drawn and not saved', async () => {
    const typed = { name: 'Two colours', slug: 'two-colours', accent: 'ff8800' }
    const drawn = await save({ ...typed, logo: twoColors, preview: '1' })
    const page = await drawn.text()
    for (const field of ['accent', 'ground', 'ground2'])
      for (const color of ['#0b5c8a', '#ffd166'])
        expect(missing(page, `value="${field} ${color}"`)).toEqual([])
    const logo = { 'kept-logo': keptToken(page, 'logo') ?? '' }
    const chosen = await save({ ...typed, ...logo, use: 'accent #0b5c8a' })
    expect([chosen.status, missing(await chosen.text(), 'value="#0b5c8a"')]).toEqual([200, []])
    const odd = await save({ ...typed, ...logo, use: 'name <b>' })
    expect([odd.status, missing(await odd.text(), 'value="Two colours"')]).toEqual([200, []])
    expect(await brandsNow()).not.toContain('two-colours')
  })

  slowTest('shows what cards make of each file, and how well their texts can be read', async () => {
    const font = Bun.file(join(fontDirectory, 'noto-serif-tamil-latin-wght-normal.woff2'))
    const answer = await save({
      logo: twoColors,
      picture: new File([valleyFile.buffer], valleyFile.name),
      titleFont: new File([await font.bytes()], 'title.woff2'),
      preview: '1',
    })
    const page = await answer.text()
    expect(answer.status).toBe(200)
    async function typesOf(part: string) {
      return await Promise.all(picturesIn(page, part).map(pictureType))
    }
    expect(await typesOf('logo')).toEqual(['image/svg+xml', 'image/svg+xml'])
    expect(await typesOf('picture')).toEqual(['image/webp'])
    expect(await typesOf('titleFont')).toEqual(['image/svg+xml'])
    expect(page).toMatch(/<span class="focal[^"]*"[^>]*><img src="\/admin/)
    expect(missing(page, 'Noto Serif Tamil, set in this font', 'at least', '7.3 : 1')).toEqual([])

    const plain = await (await save({ ground: '0b5c8a', preview: '1' })).text()
    const ratios = [...plain.matchAll(/<span class="num">([\d.]+) : 1</g)].map(([, ratio]) => Number(ratio))
    expect(ratios).toHaveLength(4)
    for (const [index, ratio] of ratios.entries()) expect(ratio).toBeGreaterThan(index % 2 === 0 ? 7 : 4.5)
    expect(plain).toContain('Your background is drawn as')
  })

  test('keeps its files for the form that saves them, and for its session alone', async () => {
    const typed = { name: 'Kept', slug: 'kept' }
    const drawn = await save({ ...typed, logo: logoFile, preview: '1' })
    const token = keptToken(await drawn.text(), 'logo') ?? ''
    const form = { ...typed, 'kept-logo': token }
    const other = await logIn(server)
    const stolen = await sendBrand(server, other, form)
    const expected = [422, 'Logo is no longer available: choose the file again.']
    expect([stolen.status, problemsIn(await stolen.text())['logo']]).toEqual(expected)
    expect((await save(form)).status).toBe(303)
    expect(missing(await operator.page('/admin/brands/kept'), 'harbour-mark.svg')).toEqual([])

    server.clock.aheadMs += 31 * 60_000
    const late = await save({ ...form, slug: 'late' })
    expect(late.status).toBe(422)
    expect(Object.keys(problemsIn(await late.text()))).toEqual(['logo'])
  })

  slowTest('of a form with mistakes shows them, and the cards with all that is right', async () => {
    const slug = await makeBrand({ theme: 'paper' })
    const answer = await save({ accent: 'no', theme: 'poster', preview: '1' }, slug)
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(await cardsIn(page)).toBe(12)
    expect(Object.keys(problemsIn(page))).toEqual(['accent'])
  })

  test('that cannot be drawn is a grey box with the reason as its status, on a page that is there', async () => {
    const drawn = await save({ name: 'Gone', logo: logoFile, preview: '1' })
    const [first = ''] = picturesIn(await drawn.text(), 'card')
    expect(await pictureType(first)).toBe('image/svg+xml')
    const gone = await operator.get(first.replace(/(?<=kept-logo=)\w+/, 'f'.repeat(32)))
    expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'image/svg+xml'])
    const expected = ['no-store', expect.stringContaining('<svg')]
    expect([gone.headers.get('cache-control'), await gone.text()]).toEqual(expected)
    const other = await logIn(server)
    expect((await other.get(first)).status).toBe(404)
  })

  test('and the pictures of revisions are for the operator alone, and counted on no quota', async () => {
    const slug = await makeBrand()
    const path = `/admin/brands/${slug}/1/card`
    const [seen, hidden] = [await operator.get(path), await fetch(server.url + path, { redirect: 'manual' })]
    expect([seen.status, hidden.status]).toEqual([200, 303])
    expect(seen.headers.get('cache-control')).toStartWith('private')
    async function demoUsed() {
      const stats = await (await fetch(`${server.url}/api/stats`)).json()
      return (stats as { demo: { used: number } }).demo.used
    }
    const before = await demoUsed()
    await operator.page(`/admin/brands/${slug}`)
    expect(await demoUsed()).toBe(before)
  })
})

test('a form that began with an older revision is not saved without a look', async () => {
  const slug = await makeBrand()
  await save({ name: 'First', revision: '1' }, slug)
  const stale = await save({ name: 'Second', revision: '1' }, slug)
  const page = await stale.text()
  expect([stale.status, page.includes('Someone else saved this brand')]).toEqual([422, true])
  expect(missing(page, 'name="revision" value="2"')).toEqual([])
  expect((await save({ name: 'Second', revision: '2' }, slug)).status).toBe(303)
})

test('a form that is no multipart form, or too large, is refused in words', async () => {
  const plain = await operator.post('/admin/brands', { name: 'a', slug: 'b' })
  expect([plain.status, await plain.text()]).toEqual([400, expect.stringContaining('multipart/form-data')])
  const large = new File([new Uint8Array(9 * 2 ** 20)], 'a.png')
  const refused = await save({ name: 'a', slug: 'b', picture: large })
  expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('may have 8 MiB')])
})

test('nobody sends a large body without a session or from another site', async () => {
  const body = new Uint8Array(2 ** 20)
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const { cookie } = operator
  const foreign = await fetch(`${server.url}/admin/brands`, {
    method: 'POST',
    body,
    headers: { ...type, cookie },
  })
  expect(foreign.status).toBe(403)
  const other = await send(`${server.url}/admin/brands/any`, { a: 'x'.repeat(70_000) })
  expect([other.status, other.headers.get('location')]).toEqual([303, '/admin/login'])
  const archive = await operator.post('/admin/brands/any/archive', { a: 'x'.repeat(70_000) })
  expect(archive.status).toBe(413)
})
