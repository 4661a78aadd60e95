import { describe, expect, test } from 'bun:test'
import { makeBadge } from 'badge-maker'
import { badge, useMovedUrls } from '../../support/moved-urls.ts'

const answerTo = useMovedUrls()

const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

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
    // There an icon that is hard to see has the colour of the text.
    [
      '/badge/a-b-red?message=c&icon=github&logoSize=auto&logo=npm',
      'label=a&value=b&color=red&logo=npm&logoColor=auto',
    ],
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
    const head = await answerTo('/badge/a-b-red', { method: 'HEAD' })
    expect([head.status, head.type]).toEqual([200, 'image/svg+xml'])
    expect((await answerTo('/badge/a-b-red', { method: 'POST' })).status).toBe(405)
  })

  test('with credentials is no demo call', async () => {
    const { status, text } = await answerTo(`/badge/a-b-red?key=mk_nobody&t=1&sig=${'0'.repeat(64)}`)
    expect([status, JSON.parse(text).error]).toEqual([402, 'invalid_key'])
  })
})

describe('a live badge of shields.io that is not made here', () => {
  test.each([
    '/endpoint/json?url=https://a.example/b.json',
    '/badge/dynamic?url=https://a.example/b.json&query=a',
    '/badge/dynamic/json/more?url=https://a.example/b.json&query=a',
  ])('%s is not found, rather than a badge of other words', async (path) => {
    expect((await answerTo(path)).status).toBe(404)
    const picture = await answerTo(path, { headers: { accept: 'image/avif,image/*,*/*;q=0.8' } })
    expect([picture.status, picture.type]).toEqual([404, 'image/svg+xml'])
    expect(picture.text).toMatch(/^<svg [^>]*width="\d{2,3}" height="20"/)
  })

  test.each(['', '.svg', '.png', '.json'])(
    '/badge/dynamic/regex%s is a grey badge that says so, whatever its colour is to be',
    async (ending) => {
      const query = 'url=https://a.example/b&search=a&label=release&color=red'
      const words = 'label=release&value=regex%20is%20not%20read&color=lightgrey'
      const native = await answerTo(badge(`${words}${ending === '' ? '' : `&format=${ending.slice(1)}`}`))
      expect(await answerTo(`/badge/dynamic/regex${ending}?${query}`)).toEqual(native)
      expect(native.status).toBe(200)
    },
  )
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
    ['hsl(0.5turn 100%25 50%25)', '#00ffff'],
    ['hsl(180deg 100%25 50%25)', '#00ffff'],
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
