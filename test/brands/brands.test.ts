import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cacheReaders, type UploadReaders } from '../../src/brands/check-form.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { openTestStore, queryTestStore } from '../support/test-store.ts'
import cases from './brands.json' with { type: 'json' }
import { bytesOf, form, temporaryBrands, withFontBytes } from './support/temporary-brands.ts'

const directory = temporaryDirectory()

const acme = { name: 'Acme Inc.', slug: 'acme', theme: 'grid', scheme: 'dark', accent: '#F50' }
const everyFile = {
  logo: bytesOf('a logo'),
  titleFont: bytesOf('a font'),
  textFont: bytesOf('another font'),
  picture: bytesOf('a picture'),
  themeFile: bytesOf('a theme'),
}

describe('a brand', () => {
  test('is loaded as it was saved, files and all', async () => {
    const { brands } = await temporaryBrands()
    const texts = { ...acme, ground: '112233', ground2: 'abc', footer: ' Since  1949 ', focus: '20, 80.5' }
    expect(await brands.save(form(texts, everyFile))).toEqual({ slug: 'acme', revision: 1 })
    expect(await withFontBytes(await brands.load('acme', 1))).toMatchObject({
      key: 'acme@1',
      theme: 'grid',
      scheme: 'dark',
      accent: 'ff5500',
      ground: '112233',
      ground2: 'aabbcc',
      footer: 'Since 1949',
      logo: { kind: 'pixels', png: everyFile.logo },
      titleFont: everyFile.titleFont,
      textFont: everyFile.textFont,
      picture: { jpeg: everyFile.picture, focus: { x: 20, y: 80.5 }, grid: { columns: 1 } },
      themeFile: { json: '{}' },
    })
    expect(await brands.themeFile('acme', 1)).toEqual(everyFile.themeFile)
    expect(brands.find('acme')).toMatchObject({ name: 'Acme Inc.', revision: 1, access: 'everyone' })
    expect((await brands.revision('acme', 1)).files).toContainEqual(
      expect.objectContaining({ field: 'logo', uploadName: 'logo.bin', uploadBytes: 6 }),
    )
  })

  test('keeps what a later form leaves out, drops what it empties or removes, and earlier revisions stay', async () => {
    const { brands } = await temporaryBrands()
    await brands.save(form({ ...acme, footer: 'old' }, everyFile))
    const changes = form({ accent: '00f', footer: '' }, { logo: bytesOf('new') }, ['picture', 'titleFont'])
    expect(await brands.save(changes, 'acme')).toEqual({ slug: 'acme', revision: 2 })
    const [first, second] = [await brands.load('acme', 1), await brands.load('acme', 2)]
    expect(first).toMatchObject({ accent: 'ff5500', footer: 'old', logo: { png: everyFile.logo } })
    expect(Object.keys(first)).toContainValues(['titleFont', 'picture'])
    expect(second).toMatchObject({ theme: 'grid', accent: '0000ff', logo: { png: bytesOf('new') } })
    expect(Object.keys(second).sort()).toEqual(
      ['accent', 'key', 'logo', 'scheme', 'textFont', 'theme', 'themeFile'].sort(),
    )
    const history = await brands.history('acme')
    expect(history.map(({ revision, name }) => [revision, name])).toEqual([
      [2, 'Acme Inc.'],
      [1, 'Acme Inc.'],
    ])
  })

  test('has each file stored once, however many revisions and brands use it', async () => {
    const path = join(directory, 'files.db')
    const { brands } = await temporaryBrands({ path })
    for (let revision = 0; revision < 3; revision += 1)
      await brands.save(form(acme, everyFile), revision === 0 ? undefined : 'acme')
    await brands.save(form({ ...acme, slug: 'other' }, everyFile))
    expect(await queryTestStore(path, 'select count(*) as rows from brand_files')).toEqual([{ rows: 5 }])
  })

  test('shows a draft as it would be saved, and stores nothing of it', async () => {
    const path = join(directory, 'draft.db')
    const { brands } = await temporaryBrands({ path })
    await brands.save(form(acme, { logo: everyFile.logo }))
    const draft = form({ name: '', slug: '', scheme: 'light' }, { picture: everyFile.picture }, ['logo'])
    const shown = await brands.preview(draft, 'acme')
    await brands.save({ ...draft, texts: { scheme: 'light' } }, 'acme')
    if (!('brand' in shown)) throw new Error('no draft')
    expect({ ...shown.brand, key: 'acme@2' }).toEqual(await brands.load('acme', 2))
    expect((await brands.history('acme')).length).toBe(2)
  })
})

describe('a wrong form', () => {
  test.each(cases.wrong as [string, string][])('names the field %s that is %j', async (field, text) => {
    const { brands } = await temporaryBrands()
    const outcome = await brands.save(form({ ...acme, [field]: text }))
    expect(outcome).toEqual({ mistakes: [expect.objectContaining({ field })] })
    expect(brands.list()).toEqual([])
  })

  test('names every mistake at once, and nothing is stored when one file is wrong', async () => {
    const path = join(directory, 'mistakes.db')
    const { brands } = await temporaryBrands({ path })
    const texts = { name: '', slug: 'A', theme: 'x', accent: 'x' }
    const files = { ...everyFile, logo: bytesOf('!bad'), textFont: bytesOf('') }
    const outcome = await brands.save(form(texts, files, ['shoes']))
    const fields = 'mistakes' in outcome ? outcome.mistakes.map(({ field }) => field) : []
    expect(fields.sort()).toEqual(['accent', 'logo', 'name', 'remove', 'slug', 'textFont', 'theme'])
    expect(await brands.save(form(acme, { ...everyFile, picture: bytesOf('!') }))).toHaveProperty('mistakes')
    expect(await queryTestStore(path, 'select count(*) as rows from brand_files')).toEqual([{ rows: 0 }])
  })

  test.each([
    ['logo', 64 * 1024],
    ['titleFont', 2 * 1024 * 1024],
    ['textFont', 2 * 1024 * 1024],
    ['picture', 1024 * 1024],
    ['themeFile', 64 * 1024],
  ])('is one with a byte too many in %s', async (field, bytesMax) => {
    const { brands } = await temporaryBrands()
    const tooLarge = form(acme, { [field]: new Uint8Array(bytesMax + 1) })
    expect(await brands.save(tooLarge)).toEqual({ mistakes: [expect.objectContaining({ field })] })
    expect(await brands.save(form(acme, { [field]: new Uint8Array(bytesMax) }))).toHaveProperty('revision')
  })

  test('cannot bring a slug with any other character into the store', async () => {
    const { brands } = await temporaryBrands()
    for (let code = 0; code <= 0x2ff; code += 1) {
      const slug = `a${String.fromCharCode(code)}b`
      const isSaved = 'revision' in (await brands.save(form({ ...acme, slug })))
      expect([slug, isSaved]).toEqual([slug, /^a[a-z0-9-]b$/.test(slug)])
    }
    for (const slug of ['ﬀ', 'a@1', '..', 'a/b', 'a%20b', '🏳️', 'ａ', "a'--"])
      expect(await brands.save(form({ ...acme, slug }))).toHaveProperty('mistakes')
  })
})

describe('several operators', () => {
  test('who save at once each get a revision, and no change is lost', async () => {
    const path = join(directory, 'operators.db')
    const offices = await Promise.all([1, 2, 3].map(() => temporaryBrands({ path })))
    const [first] = offices
    await first?.brands.save(form(acme))
    for (const { brands } of offices) await brands.refresh()
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const { brands } = offices[n % 3] ?? { brands: undefined }
        return brands?.save(form({ footer: `footer ${n}` }, { logo: bytesOf(`logo ${n}`) }), 'acme')
      }),
    )
    const revisions = outcomes.map((outcome) => (outcome && 'revision' in outcome ? outcome.revision : 0))
    const numbers = revisions.toSorted((one, other) => one - other)
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, n) => n + 2))
    for (const [n, revision] of revisions.entries()) {
      const brand = await first?.brands.load('acme', revision)
      expect(brand).toMatchObject({ footer: `footer ${n}`, logo: { png: bytesOf(`logo ${n}`) } })
    }
  })

  test('who make the same brand at once make one: the others are told that the slug is taken', async () => {
    const path = join(directory, 'same-slug.db')
    const offices = await Promise.all([1, 2, 3].map(() => temporaryBrands({ path })))
    const outcomes = await Promise.all(offices.map(({ brands }) => brands.save(form(acme))))
    expect(outcomes.filter((outcome) => 'revision' in outcome)).toHaveLength(1)
    const mistakes = outcomes.flatMap((outcome) => ('mistakes' in outcome ? outcome.mistakes : []))
    expect(mistakes).toEqual(Array(2).fill({ field: 'slug', message: 'is taken by another brand' }))
  })

  test('who bring the same new files to two brands in another order do not stop each other', async () => {
    const path = join(directory, 'crossed.db')
    const [here, there] = [await temporaryBrands({ path }), await temporaryBrands({ path })]
    await here.brands.save(form({ ...acme, slug: 'one' }))
    await here.brands.save(form({ ...acme, slug: 'other' }))
    for (let n = 0; n < 6; n += 1) {
      const [a, b] = [new Uint8Array(300_000).fill(n), new Uint8Array(300_000).fill(100 + n)]
      const saved = await Promise.all([
        here.brands.save(form({}, { titleFont: a, textFont: b }), 'one'),
        there.brands.save(form({}, { titleFont: b, textFont: a }), 'other'),
      ])
      const revision = n + 2
      expect(saved).toEqual([
        { slug: 'one', revision },
        { slug: 'other', revision },
      ])
    }
  })

  test('see one another’s changes at the next look of their process', async () => {
    const path = join(directory, 'follow.db')
    const [here, there] = [await temporaryBrands({ path }), await temporaryBrands({ path })]
    const key = await here.store.keys.insert({ id: 'mk_a', name: '', createdAtMs: 1 })
    await there.store.changes.check()
    const steps: readonly [() => Promise<unknown>, object][] = [
      [() => here.brands.save(form(acme)), { revision: 1, access: 'everyone' }],
      [
        () => here.brands.save(form({ access: 'keys', name: 'New' }), 'acme'),
        { revision: 2, access: 'keys', name: 'New' },
      ],
      [() => here.brands.allow(key.id, ['acme']), { keyIds: new Set(['mk_a']) }],
      [() => here.brands.archive('acme'), { archivedAtMs: expect.any(Number) }],
      [() => here.brands.restore('acme'), { archivedAtMs: undefined }],
      [() => here.brands.allow(key.id, []), { keyIds: new Set() }],
    ]
    for (const [change, expected] of steps) {
      await change()
      await there.store.changes.check()
      expect(there.brands.find('acme')).toMatchObject(expected)
      expect(there.brands.find('acme')).toEqual(here.brands.find('acme'))
    }
  })
})

test('a key is allowed all of the brands that it is given, or none', async () => {
  const { brands, store } = await temporaryBrands()
  await store.keys.insert({ id: 'mk_a', name: '', createdAtMs: 1 })
  await brands.save(form(acme))
  expect(await brands.allow('mk_a', ['acme', 'nobody'])).toEqual(['nobody'])
  expect(brands.find('acme')?.keyIds.size).toBe(0)
})

test('revisions and their files cannot be changed or removed, not even by SQL', async () => {
  const path = join(directory, 'append-only.db')
  const { brands } = await temporaryBrands({ path })
  await brands.save(form(acme, everyFile))
  for (const [table, column] of [
    ['brand_revisions', 'name'],
    ['brand_revision_files', 'sha256'],
    ['brand_files', 'sha256'],
  ])
    for (const statement of [`update ${table} set ${column} = 'x'`, `delete from ${table}`])
      await expect((async () => queryTestStore(path, statement))()).rejects.toThrow('for ever')
})

test('what a process could not read at once is there when the store is opened again', async () => {
  const path = join(directory, 'again.db')
  const { brands, store } = await temporaryBrands({ path })
  await brands.save(form({ ...acme, access: 'keys' }, everyFile))
  const loaded = await withFontBytes(await brands.load('acme', 1))
  await store.close()
  const again = await temporaryBrands({ store: await openTestStore({ path }) })
  expect(again.brands.list()).toEqual([expect.objectContaining({ slug: 'acme', access: 'keys' })])
  expect(await withFontBytes(await again.brands.load('acme', 1))).toEqual(loaded)
})

test('an upload is read once while its bytes are held, unless it was refused or its reader failed', async () => {
  const outcomes = [new Error('gone'), { refused: 'the server is busy' }, { key: 'read' }, { key: 'again' }]
  let calls = 0
  async function font() {
    const outcome = outcomes[calls++]
    if (outcome instanceof Error) throw outcome
    return outcome as Awaited<ReturnType<UploadReaders['font']>>
  }
  const unused = () => Promise.reject(new Error('not asked here'))
  const readers = cacheReaders({ font, logo: unused, picture: unused, theme: unused })
  const bytes = new Uint8Array(1)
  expect(await readers.font(bytes).catch(String)).toBe('Error: gone')
  expect(await readers.font(bytes)).toEqual({ refused: 'the server is busy' })
  for (let time = 0; time < 3; time++) expect(await readers.font(bytes)).toMatchObject({ key: 'read' })
  expect(await readers.font(new Uint8Array(1))).toMatchObject({ key: 'again' })
})
