import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { readTheme } from '../../src/assets/og/engine/read-theme.ts'
import { exampleThemes } from '../../src/site/sample-pictures.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

/** The guide's own theme as it stands after each of its blocks. */
const blocks = [...readFileSync('docs/themes.md', 'utf8').matchAll(/^```yaml\n(?!#)(.*?)^```$/gms)]
const stages = blocks.map((_, index) =>
  blocks
    .slice(0, index + 1)
    .map(([, block = '']) => block)
    .join(''),
)
const examples = exampleThemes.map(
  (name) => [name, readFileSync(`examples/themes/${name}.yaml`, 'utf8')] as const,
)

test.each([...examples, ...stages.map((text, index) => [String(index + 1), text] as const)])(
  'the theme %s has no mistake and no warning, and a card on the page of the guide',
  async (name, text) => {
    expect(readTheme(text)).toEqual({ theme: expect.anything(), warnings: [] })
    const path = `/pictures/theme-of-${name}.svg`
    const answer = await fetch(server.url + path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(await answer.text()).toContain('Notes from the harbour')
    expect(await (await fetch(`${server.url}/docs/themes`)).text()).toContain(`<img src="${path}"`)
  },
)

test('every file of examples/themes is shown', () => {
  const files = [...new Glob('*').scanSync('examples/themes')].toSorted()
  expect(files).toEqual(exampleThemes.map((name) => `${name}.yaml`).toSorted())
})
