import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPreviewFromContent } from 'link-preview-js'
import ogs from 'open-graph-scraper'
import { unfurl } from 'unfurl.js'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import { mintmarkProcess } from '../support/mintmark.ts'
import sites from './expected-sites.json' with { type: 'json' }

const fixtures = 'test/fixtures/sites'
const base = mkdtempSync(join(tmpdir(), 'mintmark-drawn-sites-'))
/** All sites are one here, because a start of the program takes longer than a site. */
const folder = join(base, 'dist')
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: ({ url }) => fileAt(url) })
afterAll(async () => {
  await server.stop(true)
  rmSync(base, { recursive: true, force: true })
})
beforeAll(async () => {
  cpSync(fixtures, folder, { recursive: true })
  expect(await run()).toMatchObject({ from_cache: 0, failures: [] })
})

const pages = readdirSync(fixtures).flatMap((name) =>
  Object.keys(sites[name as keyof typeof sites]?.cards ?? {}).map((file) => `${name}/${file}`),
)

test('our reader and three others find the card that lies in the folder', async () => {
  for (const page of pages) {
    const address = new URL(page, server.url).href
    const expected = await pictureOf(address)
    // Two of the others cannot read UTF-16.
    const readers = page === 'plain/crane.html' ? [] : otherReaders
    const found = await Promise.all(readers.map((read) => read(address)))
    expect([page, ...found]).toEqual([page, ...readers.map(() => expected)])
    expect((await fetch(expected ?? '')).headers.get('content-type')).toBe('image/png')
  }
})

test('a build that empties its folder gets the same bytes again, and nothing is drawn', async () => {
  const before = contentsOf(folder)
  rmSync(folder, { recursive: true })
  cpSync(fixtures, folder, { recursive: true })
  const { drawn, from_cache: copied } = await run()
  expect(drawn).toBe(0)
  expect(copied).toBeGreaterThan(pages.length / 3)
  expect(contentsOf(folder)).toEqual(before)
})

async function run() {
  // Pictures that most pages of one of the sites share are rare among all pages.
  const words = ['cards', folder, '--base', server.url.href, '--cache', join(base, 'cache'), '--replace']
  const { output } = await mintmarkProcess([...words, '--json'])
  return JSON.parse(output)
}

async function pictureOf(address: string): Promise<string | undefined> {
  const parser = createPageParser({ url: address, headers: {}, contentType: 'text/html' })
  await parser.write(await (await fetch(address)).bytes())
  return (await parser.finish()).fields.image?.url
}

/** Each reads the address of the picture that a page names. */
const otherReaders: readonly ((address: string) => Promise<string | undefined>)[] = [
  async (address) => (await unfurl(address)).open_graph?.images?.[0]?.url,
  async (address) => (await ogs({ url: address })).result.ogImage?.[0]?.url,
  async function linkPreview(address) {
    const response = await fetch(address)
    const headers = Object.fromEntries(response.headers)
    const preview = await getPreviewFromContent({ headers, data: await response.text(), url: address })
    return 'images' in preview ? preview.images[0] : undefined
  },
]

function contentsOf(place: string): ReadonlyMap<string, string> {
  const paths = readdirSync(place, { recursive: true, withFileTypes: true })
  return new Map(
    paths
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        join(parentPath, name),
        readFileSync(join(parentPath, name), 'latin1'),
      ]),
  )
}

function fileAt(url: string): Response {
  const path = decodeURIComponent(new URL(url).pathname)
  const headers = path.endsWith('.png') ? {} : { 'content-type': 'text/html' }
  return new Response(Bun.file(join(folder, path)), { headers })
}
