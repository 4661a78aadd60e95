import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { parseXml } from '../support/xml-tree.ts'

const server = started(startService)

function get(query: string, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/transform?${query}&demo=1`, { headers })
}
function svgLogo(svg: string) {
  return encodeURIComponent(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)
}
const svg = 'xmlns="http://www.w3.org/2000/svg"'

const wrong: readonly (readonly [query: string, parameter: string])[] = [
  ['kind=avatar&name=A&size=64.5', 'size'],
  ['kind=avatar&name=A&size=0x20', 'size'],
  ['kind=avatar&name=A&size=%2B64', 'size'],
  ['kind=avatar&name=A&size=64&size=64', 'size'],
  ['kind=avatar&name=%00%08', 'name'],
  ['kind=avatar&name=%ED%A0%80', 'name'],
  ['kind=avatar&name=%E2%80%AE', 'name'],
  [`kind=avatar&name=${'x'.repeat(10_000)}`, 'name'],
  ['kind=avatar&name=A&length=4', 'length'],
  ['kind=avatar&name=A&font-size=0.05', 'font-size'],
  ['kind=avatar&name=A&lang=not_a_tag!', 'lang'],
  ['kind=badge&value=a&message=b', 'value'],
  ['kind=badge&value=a&color=f00&colorB=f00', 'color'],
  [`kind=badge&value=${'x'.repeat(10_000)}`, 'value'],
  ['kind=badge&value=a&scale=0x2', 'scale'],
  ['kind=badge&value=a&scale=NaN', 'scale'],
  ['kind=badge&value=a&link=javascript%3Aalert(1)', 'link'],
  ['kind=badge&value=a&logo=data:text/html;base64,PGI%2B', 'logo'],
  [`kind=badge&value=a&logo=data:image/png;base64,${Buffer.alloc(9000).toString('base64url')}`, 'logo'],
  [`kind=badge&value=a&logo=${svgLogo(`<svg ${svg}><script/></svg>`)}`, 'logo'],
  [`kind=badge&value=a&logo=${svgLogo(`<svg ${svg}><use href="https://x.example/#a"/></svg>`)}`, 'logo'],
  ['kind=badge&value=a&idSuffix=%22%3E', 'idSuffix'],
  ['kind=badge&value=a&cacheSeconds=59', 'cacheSeconds'],
]
for (const [query, parameter] of wrong) {
  test(`${query.slice(0, 80)} is a 400 that names ${parameter}, and costs nothing`, async () => {
    const response = await get(query)
    const { code, errors } = (await response.json()) as { code: string; errors: { parameter: string }[] }
    expect([response.status, code]).toEqual([400, 'invalid_query'])
    expect(errors.map((error) => error.parameter)).toEqual([parameter])
    expect(response.headers.get('x-quota-remaining')).toBeNull()
  })
}

test('an image that cannot be made is answered as an image that says why', async () => {
  const response = await get('kind=badge&value=a&color=nope', { accept: 'image/avif,image/*' })
  expect(response.status).toBe(400)
  parseXml(await response.text())
})

test('equal parameters give equal bytes and the same strong ETag, whatever their order and spelling', async () => {
  const one = await get('kind=badge&label=a&value=b&color=F00&style=classic')
  const other = await get('colorB=ff0000&message=b&subject=a&style=classic&kind=badge')
  expect(one.headers.get('etag')).toMatch(/^"[\w-]+"$/)
  expect(other.headers.get('etag')).toBe(one.headers.get('etag'))
  expect(await other.text()).toBe(await one.text())
})

test('the caller chooses how long any picture may be kept', async () => {
  for (const path of [
    '/api/og?title=a&demo=1',
    '/api/og.png?title=a&demo=1',
    '/api/transform?kind=badge&value=a&demo=1',
    '/api/transform?kind=avatar&name=a&demo=1',
    '/api/transform?kind=stats&format=svg',
  ]) {
    const { status, headers } = await fetch(`${server.url}${path}&cacheSeconds=300`)
    expect([path, status, headers.get('cache-control')?.split(', ')]).toEqual([
      path,
      200,
      expect.arrayContaining(['public', 'max-age=300']),
    ])
    for (const wrong of ['59', '31536001', '60.5']) {
      const refused = await fetch(`${server.url}${path}&cacheSeconds=${wrong}`)
      expect([path, wrong, refused.status]).toEqual([path, wrong, 400])
    }
  }
})

test('a PNG of each kind is a PNG of the size that was asked for', async () => {
  for (const [query, width, height] of [
    ['kind=badge&label=بناء&value=🚀&logo=github&style=plastic&scale=4', undefined, 72],
    ['kind=badge&label=build&value=passing&style=for-the-badge&scale=0.5', 73, 14],
    ['kind=avatar&name=王小明&size=300&text=text', 300, 300],
  ] as const) {
    const response = await get(`${query}&format=png`)
    expect(response.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await response.arrayBuffer())
    if (width !== undefined) expect(bytes.readUInt32BE(16)).toBe(width)
    expect(bytes.readUInt32BE(20)).toBe(height)
  }
})

test('a repeated badge is drawn once', async () => {
  const first = await get('kind=badge&value=drawn-once')
  const second = await get('kind=badge&value=drawn-once')
  expect(first.headers.get('server-timing')).toContain('miss')
  expect(second.headers.get('server-timing')).toContain('hit')
})
