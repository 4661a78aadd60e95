import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import cases from './template-parameters.json' with { type: 'json' }

const server = started(() => startService())

type Query = Readonly<Record<string, string>>

function ask(query: Query, path = '/api/og'): Promise<Response> {
  return fetch(`${server.url}${path}?${new URLSearchParams({ demo: '1', title: 'Quiet tools', ...query })}`)
}

function fromText(query: string): Query {
  return Object.fromEntries(new URLSearchParams(query))
}

async function layoutOf(query: Query) {
  const response = await ask(query, '/api/og.json')
  expect(response.status).toBe(200)
  return response.json()
}

test('a wrong parameter of a template is named with what is allowed', async () => {
  for (const [query, wanted] of Object.entries<readonly string[]>(cases.mistakes)) {
    const response = await ask(fromText(query))
    const { errors } = await response.json()
    expect([
      response.status,
      errors.map(({ parameter, message }: Query) => `${parameter} ${message}`),
    ]).toEqual([400, wanted])
  }
})

test('the layout of a card has the texts of its template, as they are drawn', async () => {
  for (const [query, wanted] of Object.entries<object>(cases.layouts))
    expect((await layoutOf(fromText(query))).texts).toMatchObject(wanted)
})

test('a plus sign that was not escaped is one', async () => {
  const date = '2026-12-12T09:30+01:00'
  const raw = await fetch(`${server.url}/api/og.json?demo=1&title=A&template=event&date=${date}`)
  expect((await raw.json()).texts.time.text).toBe('09:30 +01:00')
})

test('code over its bounds is cut where the caller says so, and the layout tells it', async () => {
  const code = Array.from({ length: 30 }, (_, line) => `const a${line} = ${'b'.repeat(200)}`).join('\r\n')
  const { texts, warnings } = await layoutOf({ template: 'code', code, overflow: 'ellipsis' })
  expect(texts.code.is_cut).toBeTrue()
  expect(texts.code.lines.length).toBeLessThanOrEqual(14)
  expect(texts.code.lines[0]).toMatch(/^const a0 = b+…$/)
  expect(warnings).toContainEqual({ code: 'cut', parameter: 'code', message: expect.any(String) })
})

test('code is drawn from left to right on a card from right to left, whole and with its spaces', async () => {
  const code = 'if (a)   {\n\n  b() // نجاح\n}'
  const { direction, texts, warnings } = await layoutOf({ title: 'أدوات هادئة', template: 'code', code })
  expect(direction).toBe('rtl')
  expect(texts.code).toMatchObject({ text: code, lines: code.split('\n'), is_cut: false })
  expect(warnings.filter(({ parameter }: Query) => parameter === 'code')).toEqual([])
})

test('the SVG describes date, place, time and numbers once', async () => {
  const dates = { date: '2026-12-12T09:30Z', until: '2026-12-14' }
  const event = await ask({ template: 'event', ...dates, place: 'Lisbon' })
  const expected = '<desc id="og-d">12 Dec 2026 – 14 Dec 2026 · Lisbon · 09:30 UTC</desc>'
  expect(await event.text()).toContain(expected)
  const stats = await ask({ template: 'stats', stats: '83% less cold start|4 regions' })
  expect(await stats.text()).toContain('<desc id="og-d">83% less cold start · 4 regions</desc>')
})
