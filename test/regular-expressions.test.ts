import { expect, test } from 'bun:test'
import { RegExpParser } from '@eslint-community/regexpp'
import { Glob } from 'bun'
import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import crawlers from '../src/access/crawlers.json' with { type: 'json' }

const root = new URL('../', import.meta.url).pathname

function literalsOf(source: string, name = 'file.ts'): readonly string[] {
  const found: string[] = []
  JSON.stringify(parseSync(name, source).program, (_, node) => {
    if (node?.type === 'Literal' && node.regex) found.push(`/${node.regex.pattern}/${node.regex.flags}`)
    return typeof node === 'bigint' ? undefined : node
  })
  return found
}

function slowOn(literal: string): readonly string[] {
  return analyse(new RegExpParser().parseLiteral(literal)).reports.map(
    ({ character }) => character.literal.source,
  )
}

test('no regular expression takes more time than a text is long, whatever the text repeats', async () => {
  const files = ['src/**/*.{ts,tsx}', 'admin/**/*.{ts,tsx}'].flatMap((pattern) => [
    ...new Glob(pattern).scanSync(root),
  ])
  const slow: string[] = []
  let count = 0
  for (const file of files) {
    for (const literal of literalsOf(await Bun.file(root + file).text(), file)) {
      count += 1
      for (const character of slowOn(literal)) slow.push(`${file}: ${literal} on repeated ${character}`)
    }
  }
  for (const pattern of Object.values(crawlers))
    for (const character of slowOn(`/${pattern.replaceAll('/', '\\/')}/i`))
      slow.push(`${pattern} on repeated ${character}`)
  expect(count).toBeGreaterThan(100)
  expect(slow).toEqual([])
})

test('the judge knows a slow expression when it sees one', () => {
  for (const [literal] of [
    ['/\\/+$/'],
    ['/charset\\s*=\\s*["\']?\\s*([^\\s"\']+)/i'],
    ['/^\\s*[\\d.]*\\s*[;,]/'],
    ['/(a+)+b/'],
  ] as const)
    expect(slowOn(literal)).not.toEqual([])
  expect(slowOn('/(?<!\\/)\\/+$/')).toEqual([])
  expect(literalsOf('const a = b / c; d.replace(/e+/g, "/f/")')).toEqual(['/e+/g'])
})
