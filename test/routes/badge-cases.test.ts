import { expect, test } from 'bun:test'
import { hexContrast } from '../../src/assets/text-color.ts'
import { type BadgeCase, badgeCases } from '../support/badge-cases.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { visibleTexts } from '../support/visible-texts.ts'
import { parseXml, textOf, walk, type XmlElement } from '../support/xml-tree.ts'

const server = started(startService)

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
