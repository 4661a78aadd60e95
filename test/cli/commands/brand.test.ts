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
import { createBrands } from '../../../src/brands/brands.ts'
import { plainReaders } from '../../brands/support/temporary-brands.ts'
import { plainPng } from '../../support/pictures.ts'
import { databaseSettings, openTestStore } from '../../support/test-store.ts'
import { mintmark } from '../support/mintmark.ts'

const root = mkdtempSync(join(tmpdir(), 'mintmark-brand-'))
const font = readFileSync(
  join(import.meta.dir, '../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf'),
)

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 31 17"><circle cx="9" cy="8" r="7.3" fill="#c00"/>
<path d="M3 3l5 9.7q3 4 7-2z" fill="navy" fill-opacity=".5"/></svg>`

const acme = {
  name: 'Acme',
  slug: 'acme',
  theme: 'poster',
  scheme: 'dark',
  accent: '#c00',
  ground: '102030',
  ground2: '405060',
  footer: 'Since 1949',
  focus: '30,70',
  access: 'everyone',
}

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
  const found = { entry: brands.find(slug), brand: await brands.load(slug, revision) }
  await store.close()
  return found
}

describe('a brand with a logo, fonts and a picture', () => {
  let env: Readonly<Record<string, string>>
  let folder: string
  beforeAll(async () => {
    env = await installation()
    folder = folderWith({
      'brand.json': JSON.stringify({
        ...acme,
        logo: 'mark.svg',
        titleFont: 'mono.ttf',
        textFont: 'mono.ttf',
        picture: 'ground.png',
      }),
      'mark.svg': logo,
      'mono.ttf': font,
      'ground.png': plainPng(300, 200),
    })
  })

  test('is imported, listed, exported, and imported again with the same look', async () => {
    const imported = await mintmark(['brand', 'import', folder], { env })
    expect(imported).toMatchObject({ exitCode: 0, errors: '', lines: [`${folder} is acme@1.`] })
    const { lines } = await mintmark(['brand', 'list'], { env })
    expect(lines).toEqual([expect.stringMatching(/^acme@1 +for everyone +Acme$/)])

    const out = join(root, 'out')
    expect(await mintmark(['brand', 'export', 'acme', out], { env })).toMatchObject({
      exitCode: 0,
      errors: '',
    })
    expect(readdirSync(out).sort()).toEqual(
      ['brand.json', 'logo.svg', 'picture.jpg', 'text-font.ttf', 'title-font.ttf'].sort(),
    )
    const json = JSON.parse(readFileSync(join(out, 'brand.json'), 'utf8'))
    expect(json).toMatchObject({ ...acme, accent: 'cc0000', logo: 'logo.svg', picture: 'picture.jpg' })

    expect(await mintmark(['brand', 'import', out], { env })).toMatchObject({ exitCode: 0, errors: '' })
    const { entry, brand } = await brandIn(env, 'acme', 2)
    expect(entry?.digests[1]).toBe(entry?.digests[0] ?? '')
    expect(brand).toMatchObject({ theme: 'poster', accent: 'cc0000', logo: { kind: 'shapes' } })
    expect(brand.picture?.focus).toEqual({ x: 30, y: 70 })

    const elsewhere = await installation()
    expect(await mintmark(['brand', 'import', out], { env: elsewhere })).toMatchObject({
      exitCode: 0,
      errors: '',
    })
    const copy = await brandIn(elsewhere, 'acme', 1)
    expect({ ...copy.brand, picture: undefined }).toEqual({ ...brand, key: 'acme@1', picture: undefined })
    expect(copy.brand.picture).toMatchObject({ widthPx: 300, heightPx: 200 })
  }, 120_000)

  test('loses in a new revision what the folder does not have any more', async () => {
    const smaller = folderWith({
      'brand.json': JSON.stringify({ name: 'Acme', slug: 'acme', theme: 'grid' }),
    })
    const { lines } = await mintmark(['brand', 'import', smaller], { env })
    const revision = Number(/@(\d+)/.exec(lines[0] ?? '')?.[1])
    const { brand } = await brandIn(env, 'acme', revision)
    expect(brand).toEqual({ key: `acme@${revision}`, theme: 'grid' })
  })
})

describe('a folder is refused with every mistake, and nothing is stored,', () => {
  const json = JSON.stringify
  test.each([
    ['without brand.json', {}, 'brand.json cannot be read'],
    ['whose JSON is broken', { 'brand.json': '{' }, 'brand.json: is not JSON'],
    ['whose JSON is no object', { 'brand.json': '[]' }, 'must be a JSON object'],
    ['with an unknown field', { 'brand.json': json({ ...acme, acent: 'f00' }) }, 'did you mean accent?'],
    ['with a number as text', { 'brand.json': json({ ...acme, name: 5 }) }, 'name must be a text'],
    ['with a wrong field', { 'brand.json': json({ ...acme, accent: 'red' }) }, 'accent must be a hex colour'],
    ['without a name', { 'brand.json': json({ slug: 'acme' }) }, 'name is required'],
    ['with a path', { 'brand.json': json({ ...acme, logo: '../logo.svg' }) }, 'without a path'],
    ['with an absolute path', { 'brand.json': json({ ...acme, logo: '/etc/passwd' }) }, 'without a path'],
    ['with a backslash', { 'brand.json': json({ ...acme, logo: '..\\logo.svg' }) }, 'without a path'],
    ['with dots', { 'brand.json': json({ ...acme, logo: '..' }) }, 'without a path'],
    ['with a zero', { 'brand.json': json({ ...acme, logo: 'a\0b' }) }, 'without a path'],
    ['whose file is missing', { 'brand.json': json({ ...acme, logo: 'gone.svg' }) }, 'logo cannot be read'],
    [
      'whose logo is none',
      { 'brand.json': json({ ...acme, logo: 'a.svg' }), 'a.svg': 'hello' },
      'logo must be',
    ],
    [
      'whose logo runs a script',
      {
        'brand.json': json({ ...acme, logo: 'a.svg' }),
        'a.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>1</script><path d="M0 0h9v9z"/></svg>',
      },
      'logo ',
    ],
  ] as const)('%s', async (_, files, words) => {
    const env = await installation()
    const { exitCode, errors } = await mintmark(['brand', 'import', folderWith(files)], { env })
    expect(errors).toContain(words)
    expect(exitCode).toBe(1)
    expect((await mintmark(['brand', 'list'], { env })).output).toMatch(/There are no brands|^$/)
  })

  test('whose link leads out of it', async () => {
    const env = await installation()
    const folder = folderWith({ 'brand.json': json({ ...acme, logo: 'logo.svg' }) })
    const outside = folderWith({ 'logo.svg': logo })
    symlinkSync(join(outside, 'logo.svg'), join(folder, 'logo.svg'))
    const { exitCode, errors } = await mintmark(['brand', 'import', folder], { env })
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('not a link out of it')])
  })

  test('that an export has written and somebody changed by hand', async () => {
    const env = await installation()
    const forged =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><path fill="#cc0000" d="M0 0L1 1" onload="alert(1)"/></svg>'
    const folder = folderWith({ 'brand.json': json({ ...acme, logo: 'logo.svg' }), 'logo.svg': forged })
    const { exitCode } = await mintmark(['brand', 'import', folder], { env })
    const stored = exitCode === 0 ? JSON.stringify((await brandIn(env, 'acme', 1)).brand) : ''
    expect(stored).not.toContain('onload')
  })
})

test('export overwrites nothing of anybody else', async () => {
  const env = await installation()
  const folder = folderWith({ 'brand.json': JSON.stringify(acme) })
  await mintmark(['brand', 'import', folder], { env })
  const full = folderWith({ 'notes.txt': 'mine' })
  const other = folderWith({ 'brand.json': JSON.stringify({ ...acme, slug: 'other' }) })
  for (const target of [full, other]) {
    const { exitCode, errors } = await mintmark(['brand', 'export', 'acme', target], { env })
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('Name another folder')])
  }
  for (const [reference, words] of [
    ['nobody', 'no brand nobody'],
    ['acme@2', 'revisions 1 to 1'],
    ['acme@0', 'revisions 1 to 1'],
    ['acme@x', 'revisions 1 to 1'],
  ] as const) {
    const { exitCode, errors } = await mintmark(['brand', 'export', reference, join(root, 'none')], { env })
    expect([reference, exitCode, errors]).toEqual([reference, 1, expect.stringContaining(words)])
  }
  mkdirSync(join(root, 'kept'))
  cpSync(folder, join(root, 'kept'), { recursive: true })
  expect((await mintmark(['brand', 'export', 'acme', join(root, 'kept')], { env })).exitCode).toBe(0)
})
