import { expect, test } from 'bun:test'
import { dirname, normalize } from 'node:path'
import { Glob } from 'bun'
import { allowedImports, roomOf } from './support/rooms.ts'

/** Every relative import in the code, tests and bench included, type imports and dynamic ones included. */
async function readImports(): Promise<Map<string, readonly string[]>> {
  const imports = new Map<string, readonly string[]>()
  const transpiler = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g
  for await (const file of new Glob('{src,admin,bench,test}/**/*.{ts,tsx}').scan('.')) {
    if (file.endsWith('.d.ts')) continue
    const source = await Bun.file(file).text()
    const targets = [...source.matchAll(transpiler)].map(([, path = '']) =>
      normalize(`${dirname(file)}/${path}`),
    )
    imports.set(file, targets)
  }
  return imports
}

const imports = await readImports()

test('every room is in the table of allowed imports', () => {
  const rooms = new Set([...imports.keys()].map((file) => roomOf(file) ?? file))
  expect([...rooms].filter((room) => !Object.hasOwn(allowedImports, room))).toEqual([])
})

test('a room imports only from the rooms that the table allows it', () => {
  const forbidden = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => {
        const [from, to] = [roomOf(file), roomOf(target)]
        return to !== undefined && from !== to && !allowedImports[from ?? '']?.includes(to)
      })
      .map((target) => `${file} imports ${target}`),
  )
  expect(forbidden).toEqual([])
})

test('nothing imports a file of tests', () => {
  const files = [...imports].flatMap(([, targets]) => targets)
  expect(files.filter((target) => /\.test\.tsx?$/.test(target))).toEqual([])
})

test('every file with markup names the factory of its markup, without which it loads on Bun alone', async () => {
  const files = [...imports.keys()].filter((file) => file.endsWith('.tsx'))
  const sources = await Promise.all(files.map((file) => Bun.file(file).text()))
  expect(files.filter((_, index) => !sources[index]?.startsWith('/** @jsxImportSource #jsx */\n'))).toEqual(
    [],
  )
})

test('an asset imports of other assets only from those that it is made of', () => {
  const madeOf: Readonly<Record<string, readonly string[]>> = {
    avatar: ['og'],
    card: ['og', 'preview', 'sitemap'],
    sitemap: ['preview'],
    stats: ['badge'],
  }
  const others = [...imports].flatMap(([file, targets]) =>
    targets
      .map((target) => [assetOf(file), assetOf(target), file] as const)
      .filter(([from, to]) => from && to && from !== to && !madeOf[from]?.includes(to)),
  )
  expect(others).toEqual([])
})

test('no file imports itself by way of others, type imports included', () => {
  expect(findCycle(imports)).toBeUndefined()
})

test('a cycle is found', () => {
  const circle = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a']],
  ])
  expect(findCycle(circle)).toEqual(['a', 'b', 'c', 'a'])
})

/** The asset that a file belongs to; undefined for what all assets share. */
function assetOf(file: string): string | undefined {
  return /^src\/assets\/(?!kit\/)([^/]+)\//.exec(file)?.[1]
}

/** The files of one import cycle, in order; undefined when there is none. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>()
  const path: string[] = []
  function visit(file: string): readonly string[] | undefined {
    if (finished.has(file)) return undefined
    const start = path.indexOf(file)
    if (start >= 0) return [...path.slice(start), file]
    path.push(file)
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target)
      if (cycle !== undefined) return cycle
    }
    path.pop()
    finished.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const cycle = visit(file)
    if (cycle !== undefined) return cycle
  }
  return undefined
}
