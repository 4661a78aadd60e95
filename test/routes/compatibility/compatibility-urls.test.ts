import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startServer, type TestServer } from '../../support/server.ts'

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

  test.each(['/badge/', '/badge/alone', '/badge/a-b-c-d', '/badge/a-b-', '/badge/%ff-b-red'])(
    '%s is not found',
    async (path) => {
      expect((await answerTo(path)).status).toBe(404)
    },
  )

  test.each([
    ['an unknown logo', 'a-b-red?logo=no-such-mark', 'label=a&value=b&color=red'],
    ['a misspelt logo', 'a-b-red?logo=node-dot-js', 'label=a&value=b&color=red'],
    ['a picture that is none', 'a-b-red?logo=data:image/png;base64,AAAA', 'label=a&value=b&color=red'],
    ['an unknown style', 'a-b-red?style=popout', 'label=a&value=b&color=red'],
    ['an empty style', 'a-b-red?style=', 'label=a&value=b&color=red'],
    ['an unknown colour', 'build-passing-nocolour', 'label=build&value=passing'],
    [
      'an empty colour of the logo',
      'a-b-red?logo=github&logoColor=',
      'label=a&value=b&color=red&logo=github',
    ],
    ['a broken encoding', 'a-b-red?labelColor=%white', 'label=a&value=b&color=red'],
    [
      'a repeated parameter',
      'a-b-red?labelColor=no&labelColor=blue',
      'label=a&value=b&color=red&labelColor=blue',
    ],
    ['a link that is none', 'a-b-red?link=LINK-TO-YOU', 'label=a&value=b&color=red'],
    ['a script as a link', 'a-b-red?link=javascript:alert(1)', 'label=a&value=b&color=red'],
    ['a slash in the content', 'CI/CD-on-red', 'label=CI%2FCD&value=on&color=red'],
  ])('overlooks %s', async (_, path, query) => {
    const [moved, native] = [await answerTo(`/badge/${path}`), await answerTo(badge(query))]
    expect(moved).toEqual(native)
    expect(moved.status).toBe(200)
  })

  test('may have an empty message, which under our own name is a mistake', async () => {
    const { status, text } = await answerTo('/badge/lonely--red')
    expect([status, text.match(/<text/g)?.length]).toEqual([200, 3])
    expect((await answerTo('/badge/--red?logo=github')).text).toContain('aria-label="github"')
    expect((await answerTo('/static/v1?label=a&message=%20&color=red')).status).toBe(200)
    expect((await answerTo(badge('label=a&value='))).status).toBe(400)
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

describe('a URL of badgen.net', () => {
  test.each([
    ['/badge/license/MIT/white', 'label=license&value=MIT&color=white'],
    ['/badge/smart-contract/Solidity/orange', 'label=smart-contract&value=Solidity&color=orange'],
    ['/badge/PyPI/v1.0.3', 'label=PyPI&value=v1.0.3&color=blue'],
    ['/badge/icon/discord?icon=discord&label&color=purple', 'value=discord&logo=discord&color=purple'],
    ['/static/a/b/red', 'label=a&value=b&color=red'],
  ])('%s is that badge', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect(moved).toEqual(native)
    expect(moved.status).toBe(200)
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
    [
      '/api/John+Doe/128/000000/ffffff/2/0.5/true/true/false/svg',
      'name=John+Doe&size=128&background=000000&color=ffffff&length=2&font-size=0.5&rounded=true&format=svg',
    ],
    ['/api/?name=Madonna', 'name=Madonna&length=2&size=64&shape=square&format=png'],
    ['/api/?name=A&background=f39821ec', 'name=A&background=f39821&size=64&shape=square&format=png'],
    [
      '/7.x/initials/svg?seed=John+Doe&backgroundColor=10b981,ffffff',
      'name=John+Doe&length=2&background=10b981&color=ffffff&size=64&shape=square&format=svg',
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
