import { afterAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readShapesLogo } from '../../../src/assets/og/brand/brand-images.ts'
import { createBrands } from '../../../src/brands/brands.ts'
import { createUploadReaders, importLimits, importReaders } from '../../../src/brands/check-form.ts'
import { readBrandFolder } from '../../../src/cli/brands/brand-folder.ts'
import { createPictureDrawer } from '../../../src/raster/picture-process/picture-drawer.ts'
import { openStore } from '../../../src/store/open.ts'
import { writeShapesSvg } from '../../../src/svg/shapes-svg.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'

const root = temporaryDirectory()
const store = openStore({ path: ':memory:' })
const pictures = createPictureDrawer()
afterAll(() => pictures.close())
const readers = createUploadReaders(pictures)
const brands = createBrands({
  store,
  clock: { now: Date.now },
  readers: importReaders(readers, store.brands),
})

const acme = { name: 'Acme', slug: 'acme', theme: 'poster', accent: '#c00', access: 'everyone' }
const withLogo = (name: unknown) => ({ 'brand.json': JSON.stringify({ ...acme, logo: name }) })
const square = '<path d="M0 0h9v9z"/>'

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`
}

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(root, 'folder-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

/** The mistakes in a folder as one text, which is empty if the folder was imported. */
async function mistakesOf(folder: string): Promise<string> {
  const read = readBrandFolder(folder, importLimits)
  if ('mistakes' in read) return read.mistakes.join('\n')
  const saved = await brands.save(read)
  return 'mistakes' in saved
    ? saved.mistakes.map(({ field, message }) => `${field} ${message}`).join('\n')
    : ''
}

test.each([
  ['has no brand.json', {}, 'brand.json cannot be read'],
  ['has broken JSON', { 'brand.json': '{' }, 'brand.json: is not JSON'],
  ['has a list', { 'brand.json': '[]' }, 'must be a JSON object'],
  ['has a wrong name', { 'brand.json': JSON.stringify({ ...acme, acent: 'f00' }) }, 'did you mean accent?'],
  ['has a number as text', { 'brand.json': JSON.stringify({ ...acme, name: 5 }) }, 'name must be a text'],
  [
    'has a wrong field',
    { 'brand.json': JSON.stringify({ ...acme, accent: 'reddish' }) },
    'accent must be a colour',
  ],
  ['has no name', { 'brand.json': JSON.stringify({ slug: 'acme' }) }, 'name is required'],
  ['has no slug', { 'brand.json': JSON.stringify({ name: 'Acme' }) }, 'slug must be'],
  ['has a path', withLogo('../logo.svg'), 'without a path'],
  ['has an absolute path', withLogo('/etc/passwd'), 'without a path'],
  ['has a backslash', withLogo('..\\logo.svg'), 'without a path'],
  ['has two dots', withLogo('..'), 'without a path'],
  ['has a zero', withLogo('a\0b'), 'without a path'],
  ['misses a file', withLogo('gone.svg'), 'logo "gone.svg" cannot be read'],
  ['has a logo that is none', { ...withLogo('a.svg'), 'a.svg': 'hello' }, 'logo must be'],
  ['has an empty logo', { ...withLogo('a.svg'), 'a.svg': '' }, 'logo is an empty file'],
  ['has a logo with script', { ...withLogo('a.svg'), 'a.svg': svg(`<script>1</script>${square}`) }, 'logo '],
  [
    'has a logo with text',
    { ...withLogo('a.svg'), 'a.svg': svg(`${square}<text>a</text>`) },
    'logo has text: turn it into outlines',
  ],
  ['has a font of JSON', { 'brand.json': JSON.stringify({ ...acme, textFont: 'brand.json' }) }, 'textFont '],
] as const)('a folder that %s is refused, and nothing is stored', async (_, files, words) => {
  expect(await mistakesOf(folderWith(files))).toContain(words)
  expect(brands.list()).toEqual([])
})

test('links out of the folder, pipes, folders and files that are too large are not read', async () => {
  const outside = folderWith({ 'logo.svg': svg(square) })
  const folder = folderWith(withLogo('logo.svg'))
  symlinkSync(join(outside, 'logo.svg'), join(folder, 'logo.svg'))
  expect(await mistakesOf(folder)).toContain('not a link out of it')

  const piped = folderWith(withLogo('pipe'))
  execFileSync('mkfifo', [join(piped, 'pipe')])
  expect(await mistakesOf(piped)).toContain('is no file')

  const nested = folderWith(withLogo('inner'))
  execFileSync('mkdir', [join(nested, 'inner')])
  expect(await mistakesOf(nested)).toContain('logo ')

  const huge = folderWith({ ...withLogo('huge.svg'), 'huge.svg': '' })
  truncateSync(join(huge, 'huge.svg'), 2 ** 40)
  expect(await mistakesOf(huge)).toContain('must have at most')
  expect(brands.list()).toEqual([])
})

test('only what an export wrote, to the letter, is read without the reader of uploads', () => {
  const logo = {
    width: 1000,
    height: 333,
    shapes: [{ d: 'M0 0L10.5 -3C1 2 3 4 5 6Z', fill: '#cc0000', opacity: 0.5 }],
  }
  const text = writeShapesSvg(logo)
  expect(readShapesLogo(text)).toMatchObject({ ...logo, kind: 'shapes', singleColor: '#cc0000' })
  const forgeries = [
    text.replace('<path', '<path onload="x"'),
    text.replace('M0', 'M0e9'),
    text.replace('M0 0', ''),
    text.replace('#cc0000', 'url(#a)'),
    text.replace('</svg>', '<script>1</script></svg>'),
    text.replace('viewBox', 'onload="x" viewBox'),
    `${text}\n`,
    text.replace('10.5', '10.55'),
    text.replace('0.5"', '5"'),
    text.replace('#cc0000', '#CC0000'),
    text.replace(/d="[^"]*"/, `d="${'M0 0'.repeat(30_000)}"`),
  ]
  for (const forgery of forgeries)
    expect([forgery.slice(0, 200), readShapesLogo(forgery)]).toEqual([forgery.slice(0, 200), undefined])
})
