import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.stop()
})

test('usage shows what a key has used and has left, with the last seven days', async () => {
  const pair = await (await fetch(`${server.url}/api/key`)).json()
  await fetch(pair.signed_example.url)
  await fetch(pair.signed_example.url)
  const usage = await (await fetch(`${server.url}/api/usage?key=${pair.id}`)).json()
  expect(usage).toMatchObject({ key: pair.id, plan: 'free', used: 2, limit: 100, remaining: 98 })
  expect(usage.last_7_days).toHaveLength(7)
  expect(usage.last_7_days.at(-1)).toEqual({ day: usage.day, used: 2 })
  expect(Date.parse(usage.resets_at)).toBe(Date.parse(usage.day) + 86_400_000)
})

test('asking costs nothing', async () => {
  const { id } = await (await fetch(`${server.url}/api/key`)).json()
  for (let count = 0; count < 3; count++) await fetch(`${server.url}/api/usage?key=${id}`)
  expect((await (await fetch(`${server.url}/api/usage?key=${id}`)).json()).used).toBe(0)
})

test('a key that nobody has is not found, and no key is a mistake', async () => {
  const missing = await fetch(`${server.url}/api/usage?key=mk_nobody`)
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ code: 'unknown_key' })
  expect((await fetch(`${server.url}/api/usage`)).status).toBe(400)
})

test('an id of odd characters is one that nobody has, or a mistake', async () => {
  for (const id of ['%00', 'mk_%00a', '%ED%A0%80', '%F0%9F%98%80', "'", '%25', '%5C', 'a'.repeat(2_000)])
    expect([400, 404]).toContain((await fetch(`${server.url}/api/usage?key=${id}`)).status)
})
