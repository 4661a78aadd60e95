import { expect, test } from 'bun:test'
import { bodyText, textBody } from '../../src/lib/body.ts'

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
