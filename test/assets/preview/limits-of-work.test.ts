import { expect, spyOn, test } from 'bun:test'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'

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
