import { expect, test } from 'bun:test'
import { themeNames } from '../../src/assets/og/themes.ts'
import { randomFrom } from '../support/random.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleSize } from '../support/test-size.ts'
import { parseXml, type XmlElement } from '../support/xml-tree.ts'
import cases from './fuzz-words.json' with { type: 'json' }

const server = started(() => startService({ env: { DEMO_DAILY_QUOTA: '1000000', LOG_LEVEL: 'info' } }))

const requests = sampleSize(2500, 80)
const atOnce = 16

const pieces = [...cases.words, ...cases.scripts, ...cases.odd, ...cases.long]
const names = 'title subtitle author url theme accent lang format width demo key t x'.split(' ')
const values = [...cases.values, ...themeNames]
const random = randomFrom(20_261_121)

function words(): string {
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join(random.pick(['', ' ']))
}

function encode(text: string): string {
  if (random.below(40) === 0)
    return `${encodeURIComponent(text.toWellFormed())}%${random.pick(['', 'z', 'ff', 'C0%AF'])}`
  return encodeURIComponent(text.toWellFormed())
}

/** Mostly short enough. */
function shortWords(): string {
  return random.below(12) === 0 ? words() : [...words()].slice(0, 80).join('')
}

/** Mostly valid queries, each with now and then something that is not. */
function query(): string {
  const pairs = [`title=${encode(shortWords())}`, 'demo=1', `theme=${random.pick(themeNames)}`]
  for (const name of ['subtitle', 'author', 'url']) {
    if (random.below(3) === 0) pairs.push(`${name}=${encode(shortWords())}`)
  }
  if (random.below(5) === 0) pairs.push(`${random.pick(names)}=${encode(random.pick(values))}`)
  return pairs.join('&')
}

function* walk(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) if (typeof child === 'object') yield* walk(child)
}

/** Markup that must never be in a picture that other people put into their pages. */
function checkSvg(svg: string): void {
  for (const { name, attributes } of walk(parseXml(svg))) {
    expect(['script', 'foreignObject', 'image', 'style', 'animate', 'set', 'a', 'iframe']).not.toContain(name)
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(/^on/i)
      expect(`${attribute} ${value}`).not.toMatch(/NaN|undefined|Infinity/)
      if (/href$/.test(attribute)) expect(value).toMatch(/^#/)
      if (!attribute.startsWith('xmlns')) expect(value).not.toMatch(/url\((?!#)|https?:|javascript:|data:/i)
    }
  }
}

test(`${requests} random requests: never a 5xx, every picture well-formed, closed and free of script`, async () => {
  const counts: Record<number, number> = {}
  const targets = Array.from({ length: requests }, () => `/api/og?${query()}`)
  async function one(): Promise<void> {
    for (let target = targets.pop(); target !== undefined; target = targets.pop()) {
      const accept = targets.length % 5 === 0 ? { accept: 'image/*' } : {}
      const response = await fetch(server.url + target, { headers: accept })
      const text = await response.text()
      counts[response.status] = (counts[response.status] ?? 0) + 1
      expect([target, [200, 400].includes(response.status)]).toEqual([target, true])
      const type = response.headers.get('content-type')
      if (type === 'image/svg+xml') checkSvg(text)
      else expect(JSON.parse(text)).toMatchObject({ code: 'invalid_query', status: 400 })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  expect(counts[200]).toBeGreaterThan(requests / 4)
  expect(counts[400]).toBeGreaterThan(requests / 20)
  expect(server.log()).not.toContain('"level":"error"')
})
