import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPreviewFromContent } from 'link-preview-js'
import ogs from 'open-graph-scraper'
import { unfurl } from 'unfurl.js'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import { mintmarkProcess } from '../support/mintmark.ts'
import { expectedSites } from './sites/expected-cards.ts'

const base = mkdtempSync(join(tmpdir(), 'mintmark-readers-'))
const servers: { stop(closes: boolean): Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(true)))
  rmSync(base, { recursive: true, force: true })
})

/** Reads the picture that a page names. */
type Reader = (address: string) => Promise<string | undefined>

const readers: Readonly<Record<string, Reader>> = {
  async mintmark(address) {
    const bytes = await (await fetch(address)).bytes()
    const parser = createPageParser({ url: address, headers: {}, contentType: 'text/html' })
    await parser.write(bytes)
    return (await parser.finish()).fields.image?.url
  },
  'unfurl.js': async (address) => (await unfurl(address)).open_graph?.images?.[0]?.url,
  'open-graph-scraper': async (address) => (await ogs({ url: address })).result.ogImage?.[0]?.url,
  async 'link-preview-js'(address) {
    const response = await fetch(address)
    const data = await response.text()
    const headers = Object.fromEntries(response.headers)
    const preview = await getPreviewFromContent({ headers, data, url: address })
    return 'images' in preview ? preview.images[0] : undefined
  },
}

describe.each(Object.keys(expectedSites))('%s', (name) => {
  test('every reader finds the card that lies in the folder', async () => {
    const folder = join(base, name)
    cpSync(join('test/fixtures/sites', name), folder, { recursive: true })
    const { url } = serve(folder)
    await mintmarkProcess(['cards', folder, '--base', url, '--cache', join(base, 'cache')])
    for (const file of Object.keys(expectedSites[name]?.cards ?? {})) {
      const address = new URL(file, url).href
      const found = await Promise.all(
        Object.entries(readers).map(async ([reader, read]) => [reader, await read(address)] as const),
      )
      const [[, picture = ''] = ['', '']] = found
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(Object.keys(readers).map((reader) => [reader, picture])),
      )
      expect((await fetch(picture)).headers.get('content-type')).toBe('image/png')
      expect(existsSync(join(folder, new URL(picture).pathname))).toBe(true)
    }
    expect(readdirSync(join(folder, 'og')).length).toBeGreaterThan(0)
  })
})

function serve(folder: string) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => new Response(Bun.file(join(folder, decodeURIComponent(new URL(url).pathname)))),
  })
  servers.push(server)
  return { url: server.url.href }
}
