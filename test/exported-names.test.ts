import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'

/** Names that several files export because one of the files is chosen at run time. */
const alternatives: ReadonlySet<string> = new Set(['openDriver'])

test('a name that is exported means one thing in the whole program', () => {
  const filesOf = new Map<string, string[]>()
  for (const path of new Glob('{src,admin}/**/*.{ts,tsx}').scanSync('.')) {
    // A table is named after the function of `build.ts` that writes it.
    if (path.endsWith('.generated.ts')) continue
    for (const name of exportedNames(readFileSync(path, 'utf8')))
      filesOf.set(name, [...(filesOf.get(name) ?? []), path])
  }
  const shared = [...filesOf].filter(([name, files]) => files.length > 1 && !alternatives.has(name))
  expect(Object.fromEntries(shared)).toEqual({})
})

test('a type and a value of one name in one file count once, and passing a name on does not count', () => {
  expect([
    ...exportedNames(
      "export const a = 1\nexport type a = 2\nexport async function b() {}\nexport { c } from './c.ts'",
    ),
  ]).toEqual(['a', 'b'])
})

function exportedNames(source: string): ReadonlySet<string> {
  const declarations = source.matchAll(
    /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  )
  return new Set([...declarations].map(([, name = '']) => name))
}
