import { expect, test } from 'bun:test'
import { bodyText, piecesBody, textBody } from '../../src/lib/body.ts'

test.each(['', 'plain', '<svg/>\n', 'é', 'a\u0080', '構建', '🚀', 'x\ud800y'])(
  'the body of %p says how many bytes go out, and is the text',
  async (text) => {
    const body = textBody(text)
    const sent = await new Response(body).bytes()
    expect(sent.length).toBe(body.length)
    expect(sent).toEqual(new TextEncoder().encode(text))
    expect(bodyText(body)).toBe(text.toWellFormed())
  },
)

test.each([
  [],
  [''],
  ['<svg>', 'plain', ''],
  ['é', 'plain'],
  ['構', '', '建 ', '🚀'],
  ['x\ud800', 'y'],
  ['a'.repeat(70_000), 'é'],
])('a body of pieces is that of the joined text', (...pieces) => {
  expect(piecesBody(pieces)).toEqual(textBody(pieces.join('')))
})
