import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAvatar } from '@dicebear/core'
import * as initials from '@dicebear/initials'
import { makeBadge } from 'badge-maker'
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

/** A picture of one pixel. */
const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

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
    ['/badge/coverage-95%-orange', 'label=coverage&value=95%25&color=orange'],
    ['/badge/%ff-%C3%BC-red', 'label=%25ff&value=%C3%BC&color=red'],
    ['/:a-b-red', 'label=a&value=b&color=red'],
    ['//badge/a-b-red', 'label=a&value=b&color=red'],
    ['/badge/a-b-red?message=c&icon=github&logoSize=auto&logo=npm', 'label=a&value=b&color=red&logo=npm'],
    ['/static/v1?label=a&message=b&color=ff69b4', 'label=a&value=b&color=ff69b4'],
    ['/static/v1.png?label=a&message=b', 'label=a&value=b&format=png'],
    ['/static/v1.json/?label=a&message=b', 'label=a&value=b&format=json'],
  ])('%s is that badge, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect(moved).toEqual(native)
    expect([moved.status, moved.auth]).toEqual([200, 'demo'])
  })

  test.each(['/badge/', '/badge/alone', '/badge/a-b-c-d', '/badge/a-b-', '/badge/%ff'])(
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
    ['a picture without its scheme', `a-b-red?logo=${dot.slice(5)}`, `label=a&value=b&color=red&logo=${dot}`],
    ['a style that moved away', 'a-b-red?style=popout-square', 'label=a&value=b&color=red&style=flat-square'],
    ['entities of HTML', 'a-b-red?style=plastic&amp;logo=github', 'label=a&value=b&color=red&style=plastic'],
    ['what gets round caches', 'a-b-red?t=1700000000123&key=v1&exp=now', 'label=a&value=b&color=red'],
    [
      'values that our own parameters do not take',
      `a-b-red?cacheSeconds=0&scale=99&format=gif&idSuffix=$&demo=yes&title=${'x'.repeat(301)}`,
      'label=a&value=b&color=red',
    ],
    ['a long label', `a-b-red?label=${'x'.repeat(101)}`, `label=${'x'.repeat(99)}…&value=b&color=red`],
    ['a long message', `a-${'x'.repeat(201)}-red`, `label=a&value=${'x'.repeat(199)}…&color=red`],
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

describe('a colour of shields.io', () => {
  function paintOf(svg: string) {
    return /<rect x="\d+" width="\d+" height="20" fill="([^"]+)"/.exec(svg)?.[1]
  }

  test.each([
    ['purple', '#800080'],
    ['Pink', '#ffc0cb'],
    ['cyan', '#00ffff'],
    ['rebeccapurple', '#663399'],
    ['orange', '#c35304'],
    ['critical', '#cf3b2f'],
    ['%23FE7D37', '#fe7d37'],
    ['%2300ff0080', '#00ff00'],
    ['rgb(1,2,255)', '#0102ff'],
    ['rgba(0%25,50%25,100%25,.5)', '#0080ff'],
    ['hsl(120,100%25,25%25)', '#008000'],
    ['hsla(300, 100%25, 50%25, 0.2)', '#ff00ff'],
    ['rgb(red)', '#737373'],
    ['nonsense', '#737373'],
  ])('%s is %s, as the word says', async (color, painted) => {
    expect(paintOf((await answerTo(`/badge/a-b-${color}`)).text)).toBe(painted)
    expect(paintOf((await answerTo(`/badge/a-b-0f0?color=${color}`)).text)).toBe(
      painted === '#737373' ? '#00ff00' : painted,
    )
  })
})

describe('an icon of shields.io', () => {
  function fillOf(svg: string) {
    return /viewBox="[^"]+" fill="([^"]+)"/.exec(svg)?.[1]
  }

  test.each([
    ['python', '#3776ab', 'bright enough for the grey label'],
    ['github', '#ffffff', 'too dark for the grey label'],
    ['javascript&labelColor=black', '#f7df1e', 'bright on black'],
    ['javascript&labelColor=white', '#1a1a1a', 'too bright for white'],
    ['redis&labelColor=white', '#ff4438', 'dark enough for white'],
    ['html5&labelColor=e34f26', '#000000', 'the colour of the label itself'],
    ['github&style=social', '#181717', 'dark enough for the social style'],
    ['javascript&style=social', '#333333', 'too bright for the social style'],
    ['python&logoColor=', '#3776ab', 'no colour is named'],
    ['python&logoColor=yello', '#3776ab', 'a misspelt colour is named'],
    ['python&logoColor=red', '#cf3b2f', 'a colour is named'],
  ])('logo=%s is %s: %s', async (logo, fill) => {
    expect(fillOf((await answerTo(`/badge/a-b-red?logo=${logo}`)).text)).toBe(fill)
  })

  test.each([
    ['tailwindcss', 'Tailwind%20CSS', 'tailwind-css', 'TailwindCSS'],
    ['nodedotjs', 'Node.js', 'node.js'],
    ['cplusplus', 'C%2B%2B'],
    ['dotnet', '.NET'],
    ['mui', 'Material-UI', 'material-ui'],
    ['d3', 'D3.js'],
    ['react', 'React%20Native', 'react-native'],
    ['eclipseide', 'eclipse', 'Eclipse%20IDE'],
    ['travisci', 'travis', 'Travis%20CI'],
    ['gitter', 'gitter-white'],
  ])('%s has other names too', async (slug, ...names) => {
    const own = await answerTo(`/badge/a-b-red?logo=${slug}`)
    expect(own.text).toContain('<path d="M')
    for (const name of names) expect((await answerTo(`/badge/a-b-red?logo=${name}`)).text).toBe(own.text)
  })

  test.each([
    'linkedin',
    'twitter',
    'css3',
    'visual-studio-code',
    'nodejs',
    'c-plus-plus',
    'google_cloud',
    '%20',
  ])('%s has no mark there, and the badge is drawn without', async (name) => {
    expect((await answerTo(`/badge/a-b-red?logo=${name}`)).text).toBe((await answerTo('/badge/a-b-red')).text)
  })
})

describe('emoji in a badge of shields.io', () => {
  test.each([
    ['a', '🟢🟢⚪'],
    ['🗺️ Map', 'b'],
    ['family', '👨‍👩‍👧‍👦 👍🏽 🇫🇷 1️⃣'],
    ['日本 🎉', 'é 🎧'],
  ])('%s and %s take the room that it gives them', async (label, message) => {
    for (const style of ['flat', 'for-the-badge', 'social'] as const) {
      const theirs = makeBadge({ label, message, color: 'red', style })
      const [size = ''] = /width="[\d.]+" height="\d+"/.exec(theirs) ?? []
      expect((await answerTo(`/badge/${label}-${message}-red?style=${style}`)).text).toContain(size)
    }
  })

  test('leave other scripts their own width', async () => {
    const [moved, native] = [
      await answerTo('/badge/a-ناجح🟢-red'),
      await answerTo(badge('label=a&value=%D9%86%D8%A7%D8%AC%D8%AD%F0%9F%9F%A2&color=red')),
    ]
    expect(moved.text).toBe(native.text)
  })
})

describe('a live badge of shields.io', () => {
  test.each([
    '/endpoint?url=https://a.example/b.json',
    '/endpoint.svg?url=https://a.example/b.json',
    '/badge/endpoint?url=https://a.example/b.json',
    '/badge/dynamic/json?url=https://a.example/b.json&query=a',
    '/badge/dynamic/yaml.svg?url=https://a.example/b.yaml&query=a&label=b',
    '/badge/dynamic/regex?url=https://a.example/b&search=a',
  ])('%s is not found, rather than a badge of other words', async (path) => {
    expect((await answerTo(path)).status).toBe(404)
  })
})

describe('a URL of badgen.net', () => {
  test.each([
    ['/badge/license/MIT/white', 'label=license&value=MIT&color=white'],
    ['/badge/smart-contract/Solidity/orange', 'label=smart-contract&value=Solidity&color=orange'],
    ['/badge/PyPI/v1.0.3', 'label=PyPI&value=v1.0.3&color=blue'],
    ['/badge/icon/discord?icon=discord&label&color=purple', 'value=discord&logo=discord&color=purple'],
    ['/badge/a/b/purple', 'label=a&value=b&color=purple'],
    ['/badge/platform/ios,macos?list=1', 'label=platform&value=ios%20%7C%20macos&color=blue'],
    ['/badge/a/b?icon=npm&iconWidth=20&cache=300', 'label=a&value=b&color=blue&logo=npm&logoWidth=20'],
    ['/badge/a/b?icon=https://a.example/b.svg', 'label=a&value=b&color=blue'],
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
      '/api/?rounded=yes&bold=TRUE&size=5000',
      'name=John+Doe&size=1024&length=2&rounded=true&bold=true&format=png',
    ],
    ['/api/?name=%20&shape=star&length=9', 'name=John+Doe&size=64&length=3&shape=square&format=png'],
    [
      '/7.x/initials/svg?seed=John+Doe&backgroundColor=10b981,ffffff',
      'name=John+Doe&length=2&background=10b981&color=ffffff&size=128&shape=square&format=svg',
    ],
    [
      '/10.x/initials/webp/?seed=AB&radius=20&fontWeight=700&textColor=none,000&size=96',
      'name=AB&length=2&color=000&size=96&shape=rounded&bold=true&format=png',
    ],
    [
      '/api/initials/John%20Doe.svg?background=%23112233&chars=1',
      'name=John+Doe&length=1&background=112233&color=ffffff&size=128&shape=square&format=svg',
    ],
    ['/v2/initials/jd.svg', 'name=jd&length=2&color=ffffff&size=128&shape=square&format=svg'],
  ])('%s is that avatar, for a demo call', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(avatar(query))]
    expect(moved).toEqual(native)
    expect([moved.status, moved.auth]).toEqual([200, 'demo'])
  })

  test.each([
    'John Doe',
    'john-doe',
    'rebecca_bauch',
    'Felix',
    'ada.lovelace@example.com',
    'Jean-Luc Picard',
    'O’Neil',
    'María José Carreño',
    'Иван Петров',
    '김철수',
    'user123',
  ])('a seed of DiceBear has its letters there: %s', async (seed) => {
    const theirs = />([^<]+)<\/text>/.exec(createAvatar(initials, { seed }).toString())?.[1]
    const { text } = await answerTo(`/9.x/initials/json?seed=${encodeURIComponent(seed)}`)
    expect(JSON.parse(text).initials).toBe(theirs)
  })

  test('needs a name', async () => {
    expect((await answerTo('/api/')).status).toBe(404)
    expect((await answerTo('/api/nothing?name=a')).status).toBe(404)
  })
})
