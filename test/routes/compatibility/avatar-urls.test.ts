import { describe, expect, test } from 'bun:test'
import { createAvatar } from '@dicebear/core'
import * as initials from '@dicebear/initials'
import { useMovedUrls } from '../../support/moved-urls.ts'

const answerTo = useMovedUrls()

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
      'name=John+Doe&length=2&background=10b981&size=128&shape=square&format=svg',
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

  test.each(['white', 'yellow', 'fff', 'ffd54f', '000', '10b981', '888'])(
    'the letters of a moved URL are readable on the background %s',
    async (color) => {
      const { text } = await answerTo(`/9.x/initials/json?seed=Ada&backgroundColor=${color}`)
      expect(JSON.parse(text).contrast).toBeGreaterThanOrEqual(4.5)
    },
  )

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
