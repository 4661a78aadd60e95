import { expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import { joinWrites } from '../../../src/store/postgres/join-writes.ts'

function pieces(use: (stream: PassThrough) => void): readonly string[] {
  const stream = new PassThrough()
  const received: string[] = []
  stream.on('data', (piece) => received.push(String(piece)))
  joinWrites(stream)
  use(stream)
  return received
}

test('what is written while a stream is corked is sent in order, as one piece', () => {
  const received = pieces((stream) => {
    stream.write(Buffer.from('a'))
    stream.cork()
    for (const message of ['b', 'c', 'd']) stream.write(Buffer.from(message))
    stream.uncork()
    stream.write(Buffer.from('e'))
  })
  expect(received).toEqual(['a', 'bcd', 'e'])
})

test('nothing is sent when nothing was written', () => {
  const received = pieces((stream) => {
    stream.cork()
    stream.uncork()
    stream.uncork()
  })
  expect(received).toEqual([])
})
