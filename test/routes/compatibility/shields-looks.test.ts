import { describe, expect, test } from 'bun:test'
import { makeBadge } from 'badge-maker'
import { badge, useMovedUrls } from '../../support/moved-urls.ts'

const answerTo = useMovedUrls()

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
