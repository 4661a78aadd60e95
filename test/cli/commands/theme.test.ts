import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { templateNames } from '../../../src/assets/og/templates.ts'
import { cardSizes } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { sampleOf, slowTest } from '../../support/test-size.ts'
import { done, mintmark, refusal } from '../support/mintmark.ts'

const directory = temporaryDirectory()
const theme = join(directory, 'site.yaml')

test.each(sampleOf(themeNames, 2))('theme new prints %s as a file without mistakes', async (name) => {
  const { output } = await done(['theme', 'new', '--from', name])
  expect(output).toMatch(/^# .*\/theme\.schema\.json.*\nmintmark: 1\n/)
  writeFileSync(theme, output)
  expect((await done(['theme', 'check', theme])).lines).toEqual([`${theme}: no mistakes`])
})

test('theme check tells every mistake by its line, column and field, and exits 1', async () => {
  const { output } = await done(['theme', 'new'])
  const wrong = output.replace(/^scheme: .*/m, 'scheme: sepia').replace(/^about: /m, 'abuot: ')
  writeFileSync(theme, wrong)
  const lineOf = (text: string) => wrong.split('\n').findIndex((line) => line.startsWith(text)) + 1
  const { exitCode, errors, lines } = await mintmark(['theme', 'check', theme])
  expect([exitCode, errors]).toEqual([1, ''])
  expect(lines).toContainEqual(expect.stringContaining(`${theme}:${lineOf('scheme')}:1: scheme must be`))
  expect(lines).toContainEqual(expect.stringContaining(`${theme}:${lineOf('abuot')}:1: abuot `))
  const { output: json } = await mintmark(['theme', 'check', theme, '--json'])
  const { file, mistakes, warnings } = JSON.parse(json)
  expect([file, warnings]).toEqual([theme, []])
  expect(mistakes).toHaveLength(lines.length)
  expect(mistakes).toContainEqual(
    expect.objectContaining({ line: lineOf('scheme'), column: 1, field: 'scheme' }),
  )
})

test.each([
  [['new', '--from', 'gothic'], 'It must be aurora'],
  [['check'], "missing required argument 'file'"],
  [['check', '/none.yaml'], '/none.yaml cannot be read: there is no such file or folder'],
  [['check', '/'], '/ cannot be read: it is a folder, not a file'],
  [['check', theme, '--sheet', 'out.pdf'], '--sheet must be a file that ends in .html or .png'],
  [['check', theme, '--sheets'], "unknown option '--sheets'"],
] as const)('theme %j is refused', async (words, message) => {
  expect(await refusal(['theme', ...words])).toContain(message)
})

slowTest('a sheet has a card of each size, scheme, script and template', async () => {
  writeFileSync(theme, (await done(['theme', 'new'])).output)
  const [page, picture] = [join(directory, 'sheet.html'), join(directory, 'sheet.png')]
  await done(['theme', 'check', theme, '--sheet', page])
  const rows = 5 * (templateNames.length + 2)
  const cards = rows * 2 * Object.keys(cardSizes).length
  expect(readFileSync(page, 'utf8').match(/<image [^>]*height="132"/g)).toHaveLength(cards)
  await done(['theme', 'check', theme, '--sheet', picture])
  expect(readFileSync(picture).readUInt32BE(20)).toBe(rows * 144 + 12)
})
