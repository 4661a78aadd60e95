import { expect, test } from 'bun:test'
import {
  createMessageReader,
  encodeMessage,
  type PictureReply,
} from '../../src/raster/picture-process/picture-messages.ts'

const messages: readonly PictureReply[] = [
  { reply: 'ready' },
  { reply: 'drawn', base64: Buffer.from('a\nb ü').toString('base64'), isOutgrown: true },
  { reply: 'unreadable', isOutgrown: false },
]
const stream = Buffer.from(messages.map(encodeMessage).join(''))

test('messages between processes are read wherever a pipe cuts them', () => {
  for (let bytes = 1; bytes <= stream.length; bytes++) {
    const heard: PictureReply[] = []
    const read = createMessageReader<PictureReply>((message) => heard.push(message))
    for (let at = 0; at < stream.length; at += bytes) read(stream.subarray(at, at + bytes))
    expect(heard).toEqual([...messages])
  }
})

test('what is no message, or never ends, is an error and is not kept', () => {
  const read = createMessageReader(() => undefined)
  expect(() => read(Buffer.from('{"reply":\n'))).toThrow(SyntaxError)
  const endless = createMessageReader(() => undefined)
  const chunk = Buffer.alloc(2 ** 20, 97)
  expect(() => {
    for (let times = 0; times < 10; times++) endless(chunk)
  }).toThrow(RangeError)
})
