import { beforeAll, describe, expect, test } from 'bun:test'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { themeFileText } from '../../../src/assets/og/engine/read-theme.ts'
import { createBrands } from '../../../src/brands/brands.ts'
import { encoders, pictureOf } from '../../assets/og/brand/support/example-files.ts'
import { plainReaders, withFontBytes } from '../../brands/support/temporary-brands.ts'
import { randomFrom } from '../../support/random.ts'
import { databaseSettings, openTestStore } from '../../support/test-store.ts'
import { done, mintmark, refusal } from '../support/mintmark.ts'
import cases from './brand.json' with { type: 'json' }

const root = mkdtempSync(join(tmpdir(), 'mintmark-brand-'))
const font = readFileSync(
  join(import.meta.dir, '../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf'),
)

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 31 17"><circle cx="9" cy="8" r="7.3" fill="#c00"/>
<path d="M3 3l5 9.7q3 4 7-2z" fill="navy" fill-opacity=".5"/></svg>`

const acme = cases.acme

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(root, 'folder-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

async function installation(): Promise<Readonly<Record<string, string>>> {
  const directory = mkdtempSync(join(root, 'data-'))
  return { DATA_DIR: directory, ...(await databaseSettings(directory)) }
}

/** The digest and the name of every revision, and the brand as it is drawn. */
async function brandIn(env: Readonly<Record<string, string>>, slug: string, revision: number) {
  const store = await openTestStore({ path: join(env['DATA_DIR'] ?? '', 'mintmark.sqlite') })
  const brands = createBrands({ store, clock: { now: Date.now }, readers: plainReaders })
  await brands.refresh()
  const found = { entry: brands.find(slug), brand: await withFontBytes(await brands.load(slug, revision)) }
  await store.close()
  return found
}

describe('a brand with a logo, fonts and a picture', () => {
  let folder: string
  const random = randomFrom(6)
  const grainy = pictureOf(300, 200, (x, y) => [x & 255, y, random.below(90)])
  beforeAll(async () => {
    folder = folderWith({
      'brand.json': JSON.stringify({
        ...acme,
        logo: 'mark.svg',
        titleFont: 'mono.ttf',
        picture: 'ground.png',
      }),
      'mark.svg': logo,
      'mono.ttf': font,
      'ground.png': await encoders.png(grainy),
    })
  })

  test('is imported, listed, exported, and imported again with the same look', async () => {
    const env = await installation()
    const imported = await mintmark(['brand', 'import', folder], { env })
    expect(imported).toMatchObject({ exitCode: 0, errors: '', lines: [`${folder} is acme@1.`] })
    const { lines } = await mintmark(['brand', 'list'], { env })
    expect(lines).toEqual([expect.stringMatching(/^acme@1 +for everyone +Acme$/)])

    const out = join(root, 'out')
    await done(['brand', 'export', 'acme', out], { env })
    expect(readdirSync(out).sort()).toEqual(
      ['brand.json', 'logo.svg', 'picture.jpg', 'title-font.ttf'].sort(),
    )
    const json = JSON.parse(readFileSync(join(out, 'brand.json'), 'utf8'))
    expect(json).toMatchObject({ ...acme, accent: 'cc0000', logo: 'logo.svg', picture: 'picture.jpg' })

    await done(['brand', 'import', out], { env })
    const { entry, brand } = await brandIn(env, 'acme', 2)
    expect(entry?.digests[1]).toBe(entry?.digests[0] ?? '')
    expect(brand).toMatchObject({ theme: 'poster', accent: 'cc0000', logo: { kind: 'shapes' } })
    expect(brand.picture?.focus).toEqual({ x: 30, y: 70 })

    const elsewhere = await installation()
    await done(['brand', 'import', out], { env: elsewhere })
    const copy = await brandIn(elsewhere, 'acme', 1)
    // Another server, which has never seen the picture, has it to the byte.
    expect(copy.brand).toEqual({ ...brand, key: 'acme@1' })
    expect(copy.entry?.digests[0]).toBe(entry?.digests[0] ?? '')
  })

  test('loses in a new revision what the folder does not have any more', async () => {
    const env = await installation()
    expect(await mintmark(['brand', 'import', folder], { env })).toMatchObject({ exitCode: 0 })
    const smaller = folderWith({
      'brand.json': JSON.stringify({ name: 'Acme', slug: 'acme', theme: 'grid' }),
    })
    const { lines } = await mintmark(['brand', 'import', smaller], { env })
    const revision = Number(/@(\d+)/.exec(lines[0] ?? '')?.[1])
    const { brand } = await brandIn(env, 'acme', revision)
    expect(brand).toEqual({
      key: `acme@${revision}`,
      theme: 'grid',
      titleFont: undefined,
      textFont: undefined,
    })
  })
})

test('theme.yaml of a folder is the theme file of its brand, named or not, until it is away', async () => {
  const env = await installation()
  const themeFile = `# Ours\n${await themeFileText('grid')}`
  const json = JSON.stringify({ name: 'Acme', slug: 'acme', theme: 'paper' })
  const folder = folderWith({ 'brand.json': json, 'theme.yaml': themeFile })
  const out = join(root, 'themed')
  await done(['brand', 'import', folder], { env })
  await done(['brand', 'export', 'acme', out], { env })
  expect(readFileSync(join(out, 'theme.yaml'), 'utf8')).toBe(themeFile)
  expect(JSON.parse(readFileSync(join(out, 'brand.json'), 'utf8'))).toMatchObject({ themeFile: 'theme.yaml' })
  await done(['brand', 'import', out], { env })
  const { entry, brand } = await brandIn(env, 'acme', 2)
  expect(entry?.digests[1]).toBe(entry?.digests[0] ?? '')
  expect(brand.themeFile?.json).toContain('"layouts"')

  await done(['brand', 'import', folderWith({ 'brand.json': json })], { env })
  await done(['brand', 'export', 'acme', out], { env })
  await done(['brand', 'import', out], { env })
  expect((await brandIn(env, 'acme', 4)).brand.themeFile).toBeUndefined()
})

test('every mistake of theme.yaml is told with file, line, column and field', async () => {
  const env = await installation()
  const themeFile = (await themeFileText('grid'))
    .replace(/^about:.*$/m, 'abut: Ours')
    .replace('light', 'lite')
  const folder = folderWith({ 'brand.json': JSON.stringify(acme), 'theme.yaml': themeFile })
  const lines = (await refusal(['brand', 'import', folder], { env })).trim().split('\n')
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines)
    expect(line).toMatch(new RegExp(`^${folder}/theme.yaml: line \\d+, column \\d+: \\S+ `))
})

test('a folder with mistakes is refused with all of them, and nothing is stored', async () => {
  const env = await installation()
  const folder = folderWith({ 'brand.json': JSON.stringify({ ...acme, accent: 'reddish', theme: 'comic' }) })
  const { exitCode, errors } = await mintmark(['brand', 'import', folder], { env })
  const file = join(folder, 'brand.json')
  expect(exitCode).toBe(1)
  expect(errors.split('\n').slice(0, 2)).toEqual([
    expect.stringContaining(`${file}: theme must be one of`),
    expect.stringContaining(`${file}: accent must be a colour`),
  ])
  expect((await mintmark(['brand', 'list'], { env })).lines).toEqual(['There are no brands.'])
})

test('export overwrites nothing of anybody else', async () => {
  const env = await installation()
  const folder = folderWith({ 'brand.json': JSON.stringify(acme) })
  await mintmark(['brand', 'import', folder], { env })
  const full = folderWith({ 'notes.txt': 'mine' })
  const other = folderWith({ 'brand.json': JSON.stringify({ ...acme, slug: 'other' }) })
  for (const target of [full, other]) {
    const errors = await refusal(['brand', 'export', 'acme', target], { env })
    expect(errors).toContain('Name another folder')
  }
  for (const reference of ['nobody', 'acme@2']) {
    expect(await refusal(['brand', 'export', reference, join(root, 'none')], { env })).toMatch(
      /no brand nobody|revisions 1 to 1/,
    )
  }
  mkdirSync(join(root, 'kept'))
  cpSync(folder, join(root, 'kept'), { recursive: true })
  expect((await mintmark(['brand', 'export', 'acme', join(root, 'kept')], { env })).exitCode).toBe(0)
})

test('export puts files in the place of links, and writes nothing through them', async () => {
  const env = await installation()
  const folder = folderWith({ 'brand.json': JSON.stringify({ ...acme, logo: 'logo.svg' }), 'logo.svg': logo })
  await mintmark(['brand', 'import', folder], { env })
  const outside = folderWith({ 'brand.json': JSON.stringify(acme), notes: 'mine' })
  const target = folderWith({})
  symlinkSync(join(outside, 'notes'), join(target, 'logo.svg'))
  symlinkSync(join(outside, 'brand.json'), join(target, 'brand.json'))
  const { exitCode } = await mintmark(['brand', 'export', 'acme', target], { env })
  const expected = [0, expect.stringContaining('<svg')]
  expect([exitCode, readFileSync(join(target, 'logo.svg'), 'utf8')]).toEqual(expected)
  expect(['notes', 'brand.json'].map((name) => readFileSync(join(outside, name), 'utf8'))).toEqual([
    'mine',
    JSON.stringify(acme),
  ])
})
