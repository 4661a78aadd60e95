import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.stop()
})

async function answerTo(path: string) {
  const response = await fetch(server.url + path)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    auth: response.headers.get('x-auth-mode'),
    text: await response.text(),
  }
}

function badge(query: string) {
  return `/api/transform?kind=badge&${query}&demo=1`
}

describe('a URL of shields.io', () => {
  test.each([
    ['/badge/build-passing-brightgreen', 'label=build&value=passing&color=brightgreen'],
    ['/badge/any%20text-you%20like-blue', 'label=any%20text&value=you%20like&color=blue'],
    ['/badge/just%20the%20message-8A2BE2', 'value=just%20the%20message&color=8A2BE2'],
    ['/badge/-message-red', 'value=message&color=red'],
    ['/badge/a--b-c__d_e-f0f', 'label=a-b&value=c_d%20e&color=f0f'],
    ['/badge/a---b-red', 'label=a-&value=b&color=red'],
    ['/badge/a%2Db-%C3%BC+1%25-red', 'label=a-b&value=%C3%BC%2B1%25&color=red'],
    ['/badge/version-1.2.3-blue', 'label=version&value=1.2.3&color=blue'],
    ['/badge/version-1.2.3-blue.svg', 'label=version&value=1.2.3&color=blue'],
    ['/badge/日本-語-%23fe7d37', 'label=%E6%97%A5%E6%9C%AC&value=%E8%AA%9E&color=fe7d37'],
    ['/badge/a-b-red.png', 'label=a&value=b&color=red&format=png'],
    ['/badge/a-b-red.json', 'label=a&value=b&color=red&format=json'],
    [
      '/badge/a-b-red?style=for-the-badge&logo=github&logoColor=white',
      'label=a&value=b&color=red&style=for-the-badge&logo=github&logoColor=white',
    ],
    ['/badge/a-b-red?label=c&colorB=blue', 'label=c&value=b&color=blue'],
    ['/static/v1?label=a&message=b&color=ff69b4', 'label=a&value=b&color=ff69b4'],
  ])('%s is that badge, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect(moved).toEqual(native)
    expect([moved.status, moved.auth]).toEqual([200, 'demo'])
  })

  test.each(['/badge/', '/badge/alone', '/badge/a-b-c-d', '/badge/a-b-', '/badge/a-b/c', '/badge/%ff-b-red'])(
    '%s is not found',
    async (path) => {
      expect((await answerTo(path)).status).toBe(404)
    },
  )

  test('names the parameter that is wrong, as ours do', async () => {
    const { status, text } = await answerTo('/badge/build-passing-nocolour')
    expect([status, JSON.parse(text).errors[0].parameter]).toEqual([400, 'color'])
    expect((await answerTo('/badge/a-b-red?style=no')).status).toBe(400)
  })

  test('of nothing but dashes is answered', async () => {
    expect((await answerTo(`/badge/${'-'.repeat(15_000)}`)).status).toBe(404)
    expect((await answerTo(`/badge/${'a-'.repeat(7_000)}`)).status).toBe(404)
  })

  test('may be asked for by HEAD, and by no other method', async () => {
    const head = await fetch(`${server.url}/badge/a-b-red`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect((await fetch(`${server.url}/badge/a-b-red`, { method: 'POST' })).status).toBe(405)
  })

  test('with credentials is no demo call', async () => {
    const { status, text } = await answerTo(`/badge/a-b-red?key=mk_nobody&t=1&sig=${'0'.repeat(64)}`)
    expect([status, JSON.parse(text).error]).toEqual([402, 'invalid_key'])
  })
})

describe('a URL of ui-avatars.com', () => {
  function avatar(query: string) {
    return `/api/transform?kind=avatar&${query}&demo=1`
  }

  test.each([
    ['/api/?name=John+Doe', 'name=John+Doe&size=64&shape=square&format=png'],
    ['/api?name=John+Doe', 'name=John+Doe&size=64&shape=square&format=png'],
    [
      '/api/?name=Elon+Musk&background=0D8ABC&color=fff&size=128&rounded=true&format=svg',
      'name=Elon+Musk&background=0D8ABC&color=fff&size=128&rounded=true&format=svg',
    ],
    [
      '/api/?name=J&length=1&font-size=0.33&bold=true&uppercase=false&background=random',
      'name=J&length=1&font-size=0.33&bold=true&uppercase=false&background=random&size=64&shape=square&format=png',
    ],
  ])('%s is that avatar, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(avatar(query))]
    expect(moved).toEqual(native)
    expect([moved.status, moved.auth]).toEqual([200, 'demo'])
  })

  test('needs a name', async () => {
    expect((await answerTo('/api/')).status).toBe(404)
    expect((await answerTo('/api/nothing?name=a')).status).toBe(404)
  })
})
