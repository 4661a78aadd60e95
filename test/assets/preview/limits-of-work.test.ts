import { expect, spyOn, test } from 'bun:test'
import { readLinkedData } from '../../../src/assets/preview/linked-data.ts'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import { withoutTags } from '../../../src/assets/preview/page-text.ts'
import { isTooDeep, jsonDepthMax } from '../../../src/lib/json.ts'
import cases from './limits-of-work.json' with { type: 'json' }

const end =
  '<p class="byline">By Ann Lee</p><time class="published" datetime="2020-05-03">3 May</time><video src="/v.mp4"></video>'

async function read(html: string, pieceBytes: number, cpuMsMax?: number) {
  const parser = createPageParser({
    url: 'https://site.example.com/',
    headers: {},
    contentType: 'text/html',
    ...(cpuMsMax !== undefined && { cpuMsMax }),
  })
  const body = Buffer.from(html)
  for (let at = 0; at < body.length; at += pieceBytes)
    if (!(await parser.write(body.subarray(at, at + pieceBytes)))) break
  return parser.finish()
}

function page(elements: number) {
  return `<title>Grain</title><h1>Grain</h1>${'<div class="x">grain</div>\n'.repeat(elements)}${end}`
}

test('a large page is read whole while others have the processor', async () => {
  let waitedMs = 0
  const now = performance.now.bind(performance)
  const clock = spyOn(performance, 'now').mockImplementation(() => {
    waitedMs += 1_000
    return now() + waitedMs
  })
  const { cut, fields } = await read(page(36_000), 16_384)
  clock.mockRestore()
  expect({ cut, author: fields.author, published: fields.published }).toEqual({
    cut: false,
    author: 'Ann Lee',
    published: '2020-05-03',
  })
})

test.each([
  ['elements', '<title>Grain</title>'.concat('<b></b>'.repeat(99_990), end, '<i></i>'.repeat(50), end)],
  ['characters', `<title>Grain</title><p>${'grain '.repeat(349_513)}</p>${end}${end}`],
])('a page with too many %s is cut at the same place, however it arrives', async (_, html) => {
  const whole = await read(html, html.length)
  expect(whole.cut).toBeTrue()
  expect(whole.fields.title).toBe('Grain')
  for (const pieceBytes of [1_000, 4_096, 65_536, 70_001]) {
    const { cut, fields, metadata } = await read(html, pieceBytes)
    expect(cut).toBeTrue()
    expect(fields).toEqual(whole.fields)
    expect(metadata.elements).toBe(whole.metadata.elements)
  }
})

test('a page that takes more processor time than any page may fails, and is not half read', async () => {
  await expect(read(page(5_000), 16_384, 0)).rejects.toMatchObject({
    code: 'upstream_failed',
    reason: 'too_complex',
  })
})

function finish<T>(steps: Generator<void, T>): { readonly value: T; readonly steps: number } {
  for (let count = 1; ; count += 1) {
    const step = steps.next()
    if (step.done) return { value: step.value, steps: count }
  }
}

function nested(depth: number, [open, close] = ['[', ']'] as const) {
  return open.repeat(depth) + close.repeat(depth)
}

const deep = {
  arrays: nested(200_000),
  'arrays that never close': '['.repeat(262_144),
  objects: '{"a":'.repeat(50_000),
  'arrays after a string of closing ones': `["${']'.repeat(1000)}\\"]]]",${'['.repeat(1000)}`,
  'arrays after closing ones': `${']'.repeat(64)}${'['.repeat(129)}`,
  'arrays in what has to be repaired': `/* ] */ [${'['.repeat(1000)},${']'.repeat(1001)}`,
  'more than 256 KiB': JSON.stringify({ headline: 'a'.repeat(400_000) }),
  'many values': `[${'1,'.repeat(200_000)}1]`,
}

for (const [name, block] of Object.entries(deep)) {
  test(`JSON.parse, which nothing can interrupt, is not given ${name}`, () => {
    const parse = spyOn(JSON, 'parse')
    try {
      expect(finish(readLinkedData([block])).value.nodes).toEqual([])
      expect(parse.mock.calls.map(([text]) => text.length).filter((length) => length > 0)).toEqual([])
    } finally {
      parse.mockRestore()
    }
  })
}

test('as deep as allowed is not too deep, and brackets in texts are none', () => {
  expect(finish(isTooDeep(nested(jsonDepthMax))).value).toBe(false)
  expect(finish(isTooDeep(nested(jsonDepthMax + 1))).value).toBe(true)
  expect(finish(isTooDeep(`["\\"${'['.repeat(1000)}\\\\"]`)).value).toBe(false)
})

test('a long text is looked through in many steps', () => {
  expect(finish(isTooDeep('"'.padEnd(262_144, '\\'))).steps).toBeGreaterThan(5)
  expect(finish(isTooDeep('1'.repeat(262_144))).steps).toBeGreaterThan(15)
})

test('linked data of 200 KB is read', () => {
  const block = JSON.stringify({ '@type': 'Article', headline: 'Long', articleBody: 'a'.repeat(200_000) })
  expect(finish(readLinkedData([block])).value.primary?.['headline']).toBe('Long')
})

test.each(cases.cut)('angle brackets of a text stay: %s', (text) => {
  expect(withoutTags(text)).toBe(text)
})

test.each(cases.slow)('tags that a program left in a text are taken out: %s', (text, expected) => {
  expect(withoutTags(text).replace(/\s+/g, ' ').trim()).toBe(expected)
})
