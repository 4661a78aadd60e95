import { expect, test } from 'bun:test'
import { isJsonObject } from '../../src/lib/json.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startService } from '../support/service.ts'
import { signAddress } from '../support/sign-address.ts'
import { started } from '../support/started.ts'

const server = started(() => startService())

type Query = Readonly<Record<string, string>>

function ask(query: Query, path = '/api/og'): Promise<Response> {
  return fetch(`${server.url}${path}?${new URLSearchParams({ demo: '1', ...query })}`)
}

async function mistakes(query: Query, path?: string): Promise<readonly string[]> {
  const response = await ask(query, path)
  const { errors } = await response.json()
  expect(response.status).toBe(400)
  return errors.map(({ parameter, message }: Query) => `${parameter} ${message}`)
}

const title = 'Quiet tools'

test('without a template, and with the standard one, parameters of templates are unknown names, whatever they say', async () => {
  const usual = await ask({ title })
  const bytes = await usual.text()
  for (const ignored of [
    { date: '2026-11-27', minutes: '6', role: 'Staff engineer' },
    { date: 'yesterday', minutes: 'many', role: 'x'.repeat(100) },
  ]) {
    const plain = await ask({ title, ...ignored })
    expect([plain.status, plain.headers.get('etag'), await plain.text()]).toEqual([
      200,
      usual.headers.get('etag'),
      bytes,
    ])
    const standard = await ask({ title, template: 'standard', ...ignored })
    expect([standard.status, await standard.text()]).toEqual([200, bytes])
  }
  const twice = await fetch(`${server.url}/api/og?demo=1&title=A&minutes=1&minutes=2`)
  expect(twice.status).toBe(200)
})

test('a signed address with parameters that were unknown before is drawn and counted as it was', async () => {
  const pair = await issueKeyPair(server)
  const before = await fetch(server.url + signAddress(pair, { title }))
  const beside = await fetch(server.url + signAddress(pair, { title, minutes: 'x', date: '' }))
  expect([beside.status, beside.headers.get('etag'), await beside.text()]).toEqual([
    200,
    before.headers.get('etag'),
    await before.text(),
  ])
})

test('a parameter of another template is refused with the names of both, and one that is required is asked for', async () => {
  const expected = ['version is a parameter of template=release, not of template=article']
  expect(await mistakes({ title, template: 'article', version: '4.2' })).toEqual(expected)
  // However wrong it is.
  expect(await mistakes({ title, template: 'quote', date: 'soon', minutes: '0' })).toEqual([
    expect.stringMatching(
      /^date is a parameter of template=article, template=release.*, not of template=quote$/,
    ),
    'minutes is a parameter of template=article, not of template=quote',
  ])
  expect(await mistakes({ title, template: 'release' })).toEqual([
    'version is required with template=release',
  ])
})

test('a quotation may be longer than other titles, and has the marks of its language', async () => {
  const long = 'wort '.repeat(47)
  expect(await mistakes({ title: long })).toEqual([expect.stringContaining('must be 1 to 80 characters')])
  const layout = await (await ask({ title: long, template: 'quote', lang: 'de' }, '/api/og.json')).json()
  const { lines } = layout.texts.title
  expect([lines[0][0], lines.at(-1).at(-1)]).toEqual(['„', '“'])
  const french = await (
    await ask({ title: 'Bonjour', template: 'quote', lang: 'fr-CA' }, '/api/og.json')
  ).json()
  expect(french.texts.title).toMatchObject({ text: 'Bonjour', lines: ['«\u202fBonjour\u202f»'] })
})

test('a wrong value of a template is refused with what is allowed', async () => {
  expect(await mistakes({ title, template: 'article', minutes: '0', date: '2026-02-30' })).toEqual([
    'date must be a date as ISO 8601 writes it, such as 2026-11-27',
    'minutes must be an integer from 1 to 999',
  ])
  const expected = 'template must be one of standard,'
  expect((await mistakes({ title, template: 'arcticle' }))[0]).toStartWith(expected)
})

test('format=json names the template and its texts', async () => {
  const query = { title, template: 'article', author: 'Mira Holm', role: 'Editor', minutes: '6' }
  const layout: unknown = await (await ask({ ...query, eyebrow: 'Notes' }, '/api/og.json')).json()
  if (!isJsonObject(layout) || !isJsonObject(layout['texts'])) throw new Error('no layout')
  expect(layout['template']).toBe('article')
  expect(Object.keys(layout['texts'])).toEqual(['title', 'eyebrow', 'author', 'minutes', 'role'])
  expect(layout['texts']['role']).toMatchObject({ text: 'Editor', lines: ['Editor'], is_cut: false })
})

test('the SVG describes the texts of its template', async () => {
  const svg = await (await ask({ title, template: 'article', author: 'Mira Holm', role: 'Editor' })).text()
  expect(svg).toContain('<desc id="og-d">Editor · Mira Holm</desc>')
})
