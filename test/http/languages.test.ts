import { expect, test } from 'bun:test'
import { themeNames } from '../../src/assets/og/themes.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

const tags = ['zh-yue', 'zh-cmn-Hans-CN', 'zh-min-nan', 'i-klingon', 'i-default', 'sgn-BE-FR', 'x-whatever']
const assets = [
  ...themeNames.map((theme) => `/api/og?title=Ab+漢&author=c+d&theme=${theme}`),
  '/api/transform?kind=avatar&name=ada+byron&uppercase=true&text=path',
  '/api/transform?kind=avatar&name=ada+byron&uppercase=true&text=text',
]

test.each(tags)('%s is drawn by every asset, though Intl knows no such language', async (lang) => {
  for (const asset of assets) {
    const response = await fetch(`${server.url}${asset}&demo=1&lang=${lang}`)
    expect([asset, response.status]).toEqual([asset, 200])
    await response.body?.cancel()
  }
})

test('Cantonese is drawn with the Han forms of Cantonese, however it is tagged', async () => {
  async function draw(lang: string) {
    const response = await fetch(`${server.url}/api/og?title=骨直角&demo=1&lang=${lang}`)
    return response.text()
  }
  expect(await draw('zh-yue')).toBe(await draw('yue'))
  expect(await draw('zh-yue')).not.toBe(await draw('zh-cmn-Hans-CN'))
})
