import { describe, expect, test } from 'bun:test'
import { createPageParser, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { PageFields } from '../../../src/assets/preview/preview.ts'
import { createAddressPolicy } from '../../../src/web/url-rules.ts'
import cases from './handed-on-addresses.json' with { type: 'json' }
import handedOnHosts from './handed-on-hosts.json' with { type: 'json' }
import handedOnSchemes from './handed-on-schemes.json' with { type: 'json' }

const url = 'https://site.example.com/a/page.html'

async function previewOf(html: string, headers: Readonly<Record<string, string>> = {}) {
  return parsePreview(Buffer.from(html), { url, headers: { 'content-type': 'text/html', ...headers } })
}

/** A page that names one address wherever a page may name one. `address` is written as an attribute has it. */
function pageWith(address: string, base = ''): string {
  const metas = [
    'og:image og:image:url og:image:secure_url og:url og:video og:video:url og:video:secure_url og:audio og:logo og:see_also',
    'og:image:user_generated og:unheard_of twitter:image twitter:image:src twitter:image0 twitter:player',
    'twitter:player:stream twitter:url twitter:app:url:iphone twitter:unheard_of thumbnail',
  ].flatMap((line) => line.split(' '))
  const links = cases.links as [string, string][]
  const linked = address.replace(/["\\]|[^ -~]/g, (character) => JSON.stringify(character).slice(1, -1))
  return `${base}<title>A page</title>
${metas.map((name) => `<meta property="${name}" content="${address}">`).join('')}
${links.map(([rel, more]) => `<link rel="${rel}" ${more} href="${address}">`).join('')}
<meta itemprop="image" content="${address}"><meta itemprop="logo" content="${address}">
<meta http-equiv="refresh" content="0; url=${address}">
<script type="application/ld+json">{"@type":"VideoObject","contentUrl":"${linked}","image":"${linked}","logo":"${linked}",
"thumbnailUrl":"${linked}","url":"${linked}","publisher":{"@type":"Organization","logo":{"url":"${linked}"}}}</script>
<video src="${address}" poster="${address}"></video><audio src="${address}"></audio>
<article><img src="${address}" width="600" height="400"></article>`
}

/** Every text of an answer, with the field that it is in. */
function textsIn(value: unknown, field = ''): readonly (readonly [field: string, text: string])[] {
  if (typeof value === 'string') return [[field, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${field}.${name}`))
}

/** The addresses that a reader who trusts the answer would follow. */
function addressesIn(preview: PageFields): readonly string[] {
  return textsIn({ ...preview, sources: {} })
    .filter(([field]) => !field.endsWith('.source'))
    .filter(([, text]) => /:|^[\\/]{2}|%3a|&/i.test(text))
    .filter(([, text]) => !text.startsWith('https://site.example.com/'))
    .map(([field, text]) => `${field} ${text}`)
}

const schemes = handedOnSchemes

const hosts = handedOnHosts

describe('a preview hands on no address that is not on the public web, in any field', () => {
  for (const address of schemes)
    test(JSON.stringify(address), async () => {
      expect(addressesIn(await previewOf(pageWith(address)))).toEqual([])
    })
  test('a private host, however it is written', async () => {
    const found: string[] = []
    for (const host of hosts)
      for (const start of ['HTTP://', '//', '\\\\', 'http:'])
        found.push(...addressesIn(await previewOf(pageWith(`${start}${host}/x`))))
    expect(found).toEqual([])
  })
  test('a private host behind a user name', async () => {
    expect(addressesIn(await previewOf(pageWith('https://site.example.com@127.0.0.1/')))).toEqual([])
  })
  test('links below a private base', async () => {
    const base = '<base href="http://10.0.0.8/">'
    const { images, icons, feeds, canonical } = await previewOf(pageWith('/x.png', base))
    expect([images, feeds, canonical]).toEqual([[], [], null])
    expect(icons.map((icon) => icon.url)).toEqual(['https://site.example.com/favicon.ico'])
  })
  test('a header', async () => {
    const headers = { link: '<http://127.0.0.1/>; rel=canonical' }
    expect((await previewOf('', headers)).canonical).toBeNull()
  })
})

describe('what is public is handed on', () => {
  test('an address in every field', async () => {
    const address = 'https://cdn.example.org/x?to=http%3A%2F%2F127.0.0.1%2F'
    const preview = await previewOf(pageWith(address))
    const { og, twitter, icons, feeds, alternates, oembed, player, manifest, canonical, logo, refresh } =
      preview
    const found = [icons[0], feeds[0], alternates[0], oembed, preview.videos[0], preview.images[0]]
    expect(found.map((each) => each?.url)).toEqual(found.map(() => address))
    const expected = [address, address, address, address, address]
    expect([player, manifest, canonical, logo, refresh]).toEqual(expected)
    expect(Object.values(og)).toEqual(Array(12).fill(address))
    expect(Object.values(twitter)).toEqual(Array(8).fill(address))
  })
  test('texts as the page writes them, relative addresses, and the scheme of an app', async () => {
    const html = `<meta property="og:title" content="javascript: the good parts">
<meta property="og:description" content="data: what it is; http://127.0.0.1 is home"><meta property="og:image" content="/a.png">
<meta name="twitter:app:url:iphone" content="spotify:track:1"><meta name="twitter:data1" content="12:30">`
    const { og, twitter } = await previewOf(html)
    expect(og).toEqual({
      title: 'javascript: the good parts',
      description: 'data: what it is; http://127.0.0.1 is home',
      image: '/a.png',
    })
    expect(twitter).toEqual({ 'app:url:iphone': 'spotify:track:1', data1: '12:30' })
  })
  test('the host of the page itself, which the operator has allowed', async () => {
    const html = Buffer.from(
      '<link rel="icon" href="/i.png"><meta property="og:image" content="http://10.0.0.9/x.png">',
    )
    const preview = await parsePreview(html, {
      url: 'http://10.0.0.8/wiki',
      headers: { 'content-type': 'text/html' },
    })
    expect([preview.icon?.url, preview.image, preview.og]).toEqual(['http://10.0.0.8/i.png', null, {}])
  })
  test('links to a private network that the operator allows are handed on', async () => {
    const { isAllowlisted } = createAddressPolicy(['10.0.0.0/8', '127.0.0.0/8'])
    const parser = createPageParser({
      url: 'https://site.example.com/',
      headers: {},
      contentType: 'text/html',
      allowsAddress: isAllowlisted,
    })
    await parser.write(
      Buffer.from(
        '<meta property="og:image" content="http://10.1.2.3/a.png"><meta property="og:image" content="http://192.168.1.1/b.png">' +
          '<link rel="canonical" href="http://localhost:3000/x">',
      ),
    )
    const { fields } = await parser.finish()
    expect(fields.images.map(({ url }) => url)).toEqual(['http://10.1.2.3/a.png'])
    expect(fields.canonical).toBe('http://localhost:3000/x')
    expect(fields.warnings).toEqual(['private_address'])
  })
})
