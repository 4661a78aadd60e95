import { expect, test } from 'bun:test'
import { hexContrast } from '../../src/lib/color.ts'
import { type BadgeCase, badgeCases } from '../support/badge-cases.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { visibleTexts } from '../support/visible-texts.ts'
import { parseXml, textOf, walk, type XmlElement } from '../support/xml-tree.ts'
import tables from './api-transform.json' with { type: 'json' }

const server = started(startService)

function get(query: string, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/transform?${query}&demo=1`, { headers })
}
function svgLogo(svg: string) {
  return encodeURIComponent(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)
}
const svg = 'xmlns="http://www.w3.org/2000/svg"'

const wrong: readonly (readonly [query: string, parameter: string])[] = [
  ...(tables.wrong as [query: string, parameter: string][]),
  [`kind=avatar&name=${'x'.repeat(10_000)}`, 'name'],
  [`kind=badge&value=${'x'.repeat(10_000)}`, 'value'],
  [`kind=badge&value=a&logo=data:image/png;base64,${Buffer.alloc(9000).toString('base64url')}`, 'logo'],
  [`kind=badge&value=a&logo=${svgLogo(`<svg ${svg}><script/></svg>`)}`, 'logo'],
  [`kind=badge&value=a&logo=${svgLogo(`<svg ${svg}><use href="https://x.example/#a"/></svg>`)}`, 'logo'],
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
  for (const path of tables.paths) {
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

function ask({ query, noDemo }: BadgeCase): Promise<Response> {
  const parameters = new URLSearchParams(query)
  if (!noDemo) parameters.set('demo', '1')
  return fetch(`${server.url}/api/transform?${parameters}`)
}

for (const one of badgeCases) {
  test(`${one.id}${one.why ? `: ${one.why}` : ''}`, async () => {
    const response = await ask(one)
    const { expect: wanted } = one
    expect(response.status).toBe(wanted.status)
    expect(response.headers.get('content-type') ?? '').toStartWith(wanted.contentType ?? '')
    for (const [name, pattern] of Object.entries(wanted.header ?? {})) {
      expect(response.headers.get(name)).toMatch(new RegExp(pattern))
    }
    const bytes = Buffer.from(await response.arrayBuffer())
    const body = bytes.toString()
    if (wanted.maxBytes) expect(bytes.byteLength).toBeLessThanOrEqual(wanted.maxBytes)
    for (const part of wanted.contains ?? []) expect(body).toContain(part)
    for (const part of wanted.notContains ?? []) expect(body).not.toContain(part)
    if (wanted.sameBytesAs) expect(body).toBe(await textOfCase(wanted.sameBytesAs))
    if (wanted.png) expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([...wanted.png])
    if (response.headers.get('content-type')?.startsWith('image/svg+xml')) checkDrawing(one, parseXml(body))
    if (wanted.json || wanted.jsonHas || wanted.onlyKeys || wanted.problem) checkJson(one, JSON.parse(body))
  })
}

async function textOfCase(id: string): Promise<string> {
  const other = badgeCases.find((one) => one.id === id)
  if (!other) throw new Error(`no case ${id}`)
  return (await ask(other)).text()
}

function checkDrawing({ query, expect: wanted }: BadgeCase, root: XmlElement): void {
  const { width, height } = root.attributes
  if (wanted.width) expect(Number(width)).toBe(wanted.width)
  if (wanted.height) expect(Number(height)).toBe(wanted.height)
  if (wanted.maxWidth) expect(Number(width)).toBeLessThanOrEqual(wanted.maxWidth)
  if (wanted.minWidth) expect(Number(width)).toBeGreaterThanOrEqual(wanted.minWidth)
  if (wanted.ariaLabel) expect(root.attributes['aria-label']).toBe(wanted.ariaLabel)
  const elements = [...walk(root)]
  if (wanted.title) expect(elements.filter(({ name }) => name === 'title').map(textOf)[0]).toBe(wanted.title)
  if (wanted.noId) {
    for (const { attributes } of elements) expect(attributes['id'] ?? wanted.noId).toEndWith(wanted.noId)
  }
  const texts = visibleTexts(root)
  if (wanted.noTextLength)
    for (const { attributes } of texts) expect(attributes['textLength']).toBeUndefined()
  for (const side of wanted.rtl ?? []) {
    const shown = texts.find(({ text }) => text === query[side])
    expect(shown?.attributes['direction']).toBe('rtl')
  }
  if (wanted.minContrast)
    for (const pair of [...texts, ...outlines(root)])
      expect(hexContrast(pair.fill, pair.background)).toBeGreaterThanOrEqual(wanted.minContrast)
}

/** The letters of an avatar are a path on the one rectangle. */
function outlines(root: XmlElement): { fill: string; background: string }[] {
  const [background, letters] = root.children.filter((child) => typeof child !== 'string').slice(1)
  if (background?.name !== 'rect' || letters?.name !== 'path') return []
  return [{ fill: letters.attributes['fill'] ?? '', background: background.attributes['fill'] ?? '' }]
}

function checkJson({ expect: wanted }: BadgeCase, json: Record<string, unknown>): void {
  if (wanted.json) expect(json).toMatchObject({ ...wanted.json })
  for (const path of wanted.jsonHas ?? []) {
    expect(
      path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], json),
    ).toBeDefined()
  }
  if (wanted.onlyKeys) expect(Object.keys(json).filter((key) => !wanted.onlyKeys?.includes(key))).toEqual([])
  if (wanted.problem) {
    const { code, parameter } = wanted.problem
    const errors = json['errors'] as readonly { parameter: string }[]
    expect(json['code']).toBe(code)
    expect(errors.map((error) => error.parameter)).toContain(parameter)
  }
}
