import { type AnyText, anyTexts, heavyTexts } from '../../../test/support/any-texts.ts'
import { randomFrom } from '../../../test/support/random.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'

const pathsAndFormats = [
  ['/api/og', 'svg'],
  ['/api/og', 'png'],
  ['/api/badge', 'svg'],
  ['/api/badge', 'png'],
  ['/api/avatar', 'svg'],
] as const

/** No text holds the event loop, whatever its letters are and however many fonts they need. */
export const heavyTextsInTurns: Scenario = {
  name: 'heavy-texts',
  title: 'texts that need much',
  tried:
    'cards, badges and avatars, 64 at a time, of Han characters of every font file, marks, tags, emoji, any two pages of Unicode',
  bounds: { stallMsMax: 100, memoryMbMax: 250 },
  async run(context) {
    const count = context.times(1500, 60)
    const texts = [...heavyTexts(13), ...anyTexts(13).take(count)]
    const { pick } = randomFrom(13)
    const urls = Array.from({ length: count }, (_, index) => {
      const [path, format] = pick(pathsAndFormats)
      return `${path}?${queryOf(path, texts[index % texts.length] ?? { name: '', text: 'x' }, format)}`
    })
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    await inParallel(urls.length, 64, async (index) => {
      const answer = await ask(context, `${server.url}${urls[index]}`, { expected: [200, 400, 503] })
      context.count('texts')
      if (answer === undefined) context.mistake(`nobody answered: ${urls[index]?.slice(0, 80)}`)
      if (answer?.status === 200) context.count('of them drawn')
    })
  },
}

function queryOf(path: string, { text, lang }: AnyText, format: string): URLSearchParams {
  const letters = [...text]
  const query = new URLSearchParams({ demo: '1', format })
  if (lang !== undefined && path !== '/api/badge') query.set('lang', lang)
  if (path === '/api/badge') {
    query.set('label', letters.slice(0, 40).join(''))
    query.set('message', letters.slice(40, 90).join('') || 'x')
  } else if (path === '/api/avatar') query.set('name', letters.slice(0, 128).join(''))
  else {
    query.set('title', letters.slice(0, 300).join(''))
    query.set('subtitle', letters.slice(0, 500).join(''))
    query.set('overflow', 'ellipsis')
  }
  return query
}
