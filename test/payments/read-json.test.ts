import { expect, test } from 'bun:test'
import { readJson } from '../../src/payments/settle/facilitator-settler.ts'
import { floodingAnswer } from '../support/endless-answers.ts'

test('an answer without end is read up to its limit, over HTTP too', async () => {
  const flood = floodingAnswer()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => flood.response })
  const response = await fetch(server.url)
  await expect(readJson(response, 65_536)).rejects.toThrow('more than 65536 bytes')
  await Bun.sleep(500)
  expect(flood.sentMb()).toBeLessThan(64)
  await server.stop(true)
})

test('JSON that comes a byte at a time is read', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ a: 'ü'.repeat(10_000) }))
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  expect(await readJson(new Response(body), 65_536)).toEqual({ a: 'ü'.repeat(10_000) })
})

test.each(['', '{', '<html>'])('"%s" is no JSON', async (text) => {
  await expect(readJson(new Response(text), 100)).rejects.toThrow()
})
