import { expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { invalidQuery, Problem } from '../../src/errors.ts'
import { createErrorPictures, problemResponse } from '../../src/http/error-responder.ts'
import { freePort } from '../support/free-port.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { usualFreeDrawings } from '../support/unbounded-drawings.ts'
import { parseXml } from '../support/xml-tree.ts'
import cases from './error-pictures.json' with { type: 'json' }

const img = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const navigation = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const picture = 'image/svg+xml'
const json = 'application/problem+json'
const port = await freePort()
const deadSite = encodeURIComponent(`http://127.0.0.1:${port}/`)
const env = { DEMO_DAILY_QUOTA: '4', FETCH_ALLOW_CIDRS: '127.0.0.0/8', FETCH_ALLOW_PORTS: String(port) }
const server = started(() => startServer({ env }))

function ask(path: string, accept = img): Promise<Response> {
  return fetch(server.url + path, { headers: { accept }, redirect: 'manual' })
}

const asPicture = createErrorPictures(assets, usualFreeDrawings())

test.each(Object.entries(cases.accepted))(
  'Accept: %s has a wrong query answered with %s',
  async (accept, expected) => {
    const request = new Request('http://localhost/api/og', { headers: { accept } })
    const error = invalidQuery([{ parameter: 'title', message: 'is required' }])
    const problem = problemResponse(error, { baseUrl: '' })
    const context = { request, path: '/api/og', rawQuery: '', logFields: { asset: 'og' }, clientAddress: '' }
    const response = await asPicture(problem, context)
    expect([response.status, response.headers.get('content-type')]).toEqual([400, expected])
  },
)

/** Path, status, height, width where it does not follow from the words, and words of the reason. */
const errors = cases.errors as [string, number, number, number | null, string][]
test.each(errors)(
  '%s is a %d of the size of what was asked for',
  async (path, status, height, width, words) => {
    const response = await ask(path)
    const svg = await response.text()
    const { attributes } = parseXml(svg)
    const { 'content-security-policy': policy, vary } = Object.fromEntries(response.headers)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, picture])
    const expected = [expect.stringContaining('sandbox'), expect.stringContaining('Accept'), 'no-store']
    expect([policy, vary, response.headers.get('cache-control')]).toEqual(expected)
    expect([Number(attributes['height']), svg]).toEqual([height, expect.stringContaining(words)])
    if (width !== null) expect(Number(attributes['width'])).toBe(width)
    // A badge stays as small as a badge, however much is wrong.
    else expect(Number(attributes['width'])).toBeLessThan(900)
  },
)

test('a 402 in an <img> has every header that the 402 for programs has', async () => {
  const [shown, told] = await Promise.all([ask('/api/badge?value=a'), ask('/api/badge?value=a', '*/*')])
  expect([shown.status, told.status]).toEqual([402, 402])
  const names = [...told.headers.keys()].filter((name) => !/^(content-|date|vary|x-request-id)/.test(name))
  for (const name of names) expect([name, shown.headers.get(name)]).toEqual([name, told.headers.get(name)])
})

test('a quota that is used up is told as a badge that says so', async () => {
  for (let call = 0; call < 5; call += 1) await ask(`/api/badge?value=${call}&demo=1`)
  const response = await ask('/api/badge?value=last&demo=1')
  expect([response.status, response.headers.get('x-quota-remaining')]).toEqual([402, '0'])
  expect(await response.text()).toMatch(/demo_quota_exhausted.*Today’s demo quota is used up/s)
})

test.each([
  [502, new Problem('upstream_failed', 'The site refused.', { members: { reason: 'connect_refused' } })],
  [504, new Problem('upstream_timeout', 'The site was slow.', { members: { reason: 'timeout_total' } })],
  [503, new Problem('busy', 'No capacity.', { headers: { 'retry-after': '1' } })],
  [429, new Problem('rate_limited', 'Too many.', { headers: { 'retry-after': '9' } })],
] as const)('%d is drawn too, with the reason and the headers', async (status, problem) => {
  const request = new Request('http://localhost/api/preview', { headers: { accept: img } })
  const told = problemResponse(problem, { baseUrl: '' })
  const shown = await asPicture(told.clone(), {
    request,
    path: '/api/preview',
    rawQuery: '',
    logFields: {},
    clientAddress: '',
  })
  expect([shown.status, shown.headers.get('retry-after')]).toEqual([status, told.headers.get('retry-after')])
  expect(await shown.text()).toContain(problem.message)
})

test('a site that does not answer is a 502 as a card', async () => {
  const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
  const { signUrl } = await import('../../src/client/sign-url.ts')
  const url = await signUrl(`${server.url}/api/preview?url=${deadSite}`, { key: id, secret })
  const response = await fetch(url, { headers: { accept: img } })
  expect([response.status, response.headers.get('content-type')]).toEqual([502, picture])
  expect(await response.text()).toContain('upstream_failed')
})

test('nothing that a query holds breaks the picture or gets into it', async () => {
  const hostile = [...cases.hostile, '&'.repeat(3000)]
  for (const path of ['/api/badge', '/api/avatar', '/api/og', '/badge/x', '/api/transform', '/<x>/og']) {
    for (const text of hostile) {
      const names = ['style', 'scale', 'size', 'shape', 'width', 'idSuffix', 'title', 'value', 'kind']
      const query = names.map((name) => `${name}=${text}`).join('&')
      const response = await ask(`${path}?${query}`)
      expect(response.status).toBeLessThan(500)
      const svg = await response.text()
      parseXml(svg)
      expect(svg).not.toContain('<script')
    }
  }
})

test('a browser that opens a missing page gets a page, whatever it is near to', async () => {
  for (const path of cases.nowhere) {
    const response = await ask(path, navigation)
    const expected = [path, 404, 'text/html; charset=utf-8']
    expect([path, response.status, response.headers.get('content-type')]).toEqual(expected)
    const html = await response.text()
    expect(html).toContain('<h1>Not found</h1>')
    expect(html).not.toContain('rel="canonical"')
    const pictures = [...html.matchAll(/(?:src|srcset)="(\/pictures\/[^"]+)"/g)].map(([, picture]) => picture)
    expect(pictures).toEqual(['/pictures/card-error-dark.svg', '/pictures/card-error-light.svg'])
    expect(html).toContain('data-search=')
  }
  expect(await (await ask('/<script>alert(1)</script>', navigation)).text()).not.toContain('<script>alert')
  const program = await ask('/nowhere', '*/*')
  expect(program.headers.get('content-type')).toBe(json)
  const head = await fetch(`${server.url}/nowhere`, { method: 'HEAD', headers: { accept: navigation } })
  expect([head.status, head.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

test('the picture of a missing page is the same for every path, in each scheme', async () => {
  for (const scheme of ['light', 'dark']) {
    const answer = await fetch(`${server.url}/pictures/card-error-${scheme}.svg`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  }
})

test('a browser that opens what is no picture is not shown one', async () => {
  expect((await ask('/api/usage', navigation)).headers.get('content-type')).toBe(json)
  expect((await ask('/api/badge', navigation)).headers.get('content-type')).toBe(picture)
})

test.each(cases.slashes)('%s leads to %s', async (path, location) => {
  const response = await ask(path, '*/*')
  expect([response.status, response.headers.get('location')]).toEqual([308, location])
  expect((await fetch(server.url + path, { method: 'HEAD', redirect: 'manual' })).status).toBe(308)
})

test('a slash leads nowhere else: not to another host, not from what is not there, not where it means something', async () => {
  for (const path of ['//site.example/', '//docs/', '/docs//', '/nowhere/', '/\\\\site.example/docs/'])
    expect([path, (await rawHttp(server.port, rawGet(path, 'localhost'))).status]).toEqual([path, 404])
  expect((await rawHttp(server.port, rawGet('/%2f/docs/', 'localhost'))).status).toBe(400)
  expect((await ask('/api/?name=Ada', '*/*')).status).not.toBe(308)
  expect((await ask('/', '*/*')).status).toBe(200)
  for (const target of ['/docs/?a=\xff\xfe', '/docs/?a=\u4e2d', '/docs/?%0d%0aset-cookie:a', '/docs/?"<>\\'])
    expect([target, (await rawHttp(server.port, rawGet(target, 'localhost'))).status]).toEqual([target, 308])
})

test('an error has one look, whatever else was asked for', async () => {
  for (const [path, look] of cases.looks as [string, string][]) {
    const plain = await (await ask(`${path}&demo=1`)).text()
    expect(await (await ask(`${path}&${look}&demo=1`)).text()).toBe(plain)
  }
})

test('beyond sixty new ones a minute an error says its code alone', async () => {
  const pictures = createErrorPictures(assets, usualFreeDrawings())
  async function shown(words: string, clientAddress = '192.0.2.1'): Promise<string> {
    const request = new Request('http://localhost/api/og', { headers: { accept: img } })
    const problem = problemResponse(invalidQuery([{ parameter: 'title', message: words }]), { baseUrl: '' })
    const context = { request, path: '/api/og', rawQuery: '', logFields: { asset: 'og' }, clientAddress }
    return (await pictures(problem, context)).text()
  }
  for (let n = 0; n < 60; n++) expect(await shown(`words ${n}`)).toContain(`words ${n}`)
  const [one, other] = [await shown('words 60'), await shown('words 61')]
  expect(one).toContain('invalid_query')
  expect(one).toBe(other)
  expect(await shown('words 3')).toContain('words 3')
  expect(await shown('words 60', '192.0.2.2')).toContain('words 60')
})
