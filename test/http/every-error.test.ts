import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startService, type TestService } from '../support/service.ts'

let server: TestService
beforeAll(async () => {
  server = await startService()
})
afterAll(() => server.stop())

test.each([
  ['/api/og?demo=1&width=600', ['title', 'width']],
  ['/api/og?demo=1&width=600&format=gif', ['title', 'format']],
  ['/api/sitemap?domain=localhost&max=0&demo=1', ['max', 'domain']],
  ['/api/sitemap?domain=a&domain=b&format=zip&file=robots.txt&demo=1', ['domain', 'file']],
  ['/api/transform?kind=badge&demo=1&color=zzz', ['color', 'value']],
  ['/api/transform?kind=badge&demo=1&value=a&logo=nosuchlogo&scale=9', ['scale', 'logo']],
  ['/api/transform?kind=badge&demo=1&value=a&logo=no&logo=github', ['logo']],
  ['/api/transform?kind=stats&format=svg&color=zz&logo=zz9', ['color', 'logo']],
  ['/api/transform?kind=zz&demo=7', ['kind', 'demo']],
] as const)('%s is told everything that is wrong with it, each once', async (path, parameters) => {
  const answer = await fetch(server.url + path)
  const { errors } = (await answer.json()) as { errors: { parameter: string }[] }
  expect([answer.status, errors.map(({ parameter }) => parameter)]).toEqual([400, [...parameters]])
})
