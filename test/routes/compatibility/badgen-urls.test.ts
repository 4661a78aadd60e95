import { describe, expect, test } from 'bun:test'
import { badge, useMovedUrls } from '../../support/moved-urls.ts'

const answerTo = useMovedUrls()

describe('a URL of badgen.net', () => {
  test.each([
    ['/badge/license/MIT/white', 'label=license&value=MIT&color=white'],
    ['/badge/smart-contract/Solidity/orange', 'label=smart-contract&value=Solidity&color=orange'],
    ['/badge/PyPI/v1.0.3', 'label=PyPI&value=v1.0.3&color=blue'],
    // An icon that is hard to see has the colour of the text, which is the rule of shields.io.
    [
      '/badge/icon/discord?icon=discord&label&color=purple',
      'value=discord&logo=discord&color=purple&logoColor=auto',
    ],
    ['/badge/a/b/purple', 'label=a&value=b&color=purple'],
    ['/badge/platform/ios,macos?list=1', 'label=platform&value=ios%20%7C%20macos&color=blue'],
    [
      '/badge/a/b?icon=npm&iconWidth=20&cache=300',
      'label=a&value=b&color=blue&logo=npm&logoWidth=20&logoColor=auto',
    ],
    ['/badge/a/b?icon=https://a.example/b.svg', 'label=a&value=b&color=blue'],
    ['/static/a/b/red', 'label=a&value=b&color=red'],
  ])('%s is that badge', async (path, query) => {
    const [moved, native] = [await answerTo(path), await answerTo(badge(query))]
    expect(moved).toEqual(native)
    expect(moved.status).toBe(200)
  })
})
