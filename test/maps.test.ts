import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { settings } from '../src/config.ts'
import { allowedImports } from './support/rooms.ts'

/** The documents for who works on the program; those for its users name files of their own. */
const maps = [
  'AGENTS.md',
  'docs/ARCHITECTURE.md',
  'docs/RELIABILITY.md',
  ...new Glob('docs/decisions/*.md').scanSync('.'),
]
const mentionedPath = /`((?:\.ci|admin|bench|docs|drizzle|src|test)\/[^`\s]*|[\w-]+\.(?:json|toml|md))`/g
/** Documents also name files from within `src`: `http/router.ts`. */
const mentionedInSource =
  /`((?:access|assets|cli|client|http|lib|payments|raster|routes|site|store|svg|text|web)\/[^`\s]*\.tsx?)`/g

/** Paths that a document names in code quotes; `<name>` and `…` stand for any name. */
function pathsIn(document: string): readonly string[] {
  const text = readFileSync(document, 'utf8')
  return [
    ...[...text.matchAll(mentionedPath)].map(([, path = '']) => path),
    ...[...text.matchAll(mentionedInSource)].map(([, path = '']) => `src/${path}`),
  ]
}

function exists(path: string): boolean {
  if (!/[<…*]/.test(path)) return existsSync(path)
  const pattern = path.replace(/<[^>]*>|…/g, '*')
  return !new Glob(pattern).scanSync({ cwd: '.', dot: true, onlyFiles: false }).next().done
}

describe('every path that a document names leads somewhere', () => {
  test.each(maps)('%s', (document) => {
    expect(pathsIn(document).filter((path) => !exists(path))).toEqual([])
  })
})

/** Documents for operators and for who works on the program; reports are written by programs. */
const documents = [...new Glob('{*,docs/**/*}.md').scanSync('.')].filter((path) => !/RELIABILITY/.test(path))
const scripts: object = JSON.parse(readFileSync('package.json', 'utf8')).scripts

test('documents name no command and no setting that the program does not have', () => {
  const text = documents.map((path) => readFileSync(path, 'utf8')).join('\n')
  const commands = [...text.matchAll(/`bun run ([\w:]+)/g)].map(([, name = '']) => name)
  const named = [...text.matchAll(/`((?:X402|FETCH|ADMIN|PRICE)_[A-Z_]+)`/g)].map(([, name = '']) => name)
  expect(commands.filter((name) => !(name in scripts))).toEqual([])
  expect(named.filter((name) => !(name.replace(/_FILE$/, '') in settings || name in settings))).toEqual([])
})

test('a path that leads nowhere is found', () => {
  expect(exists('src/no-such-folder/<name>.ts')).toBe(false)
})

test('the map names every room', () => {
  const map = readFileSync('AGENTS.md', 'utf8')
  const folders = Object.keys(allowedImports).filter((room) => !existsSync(`src/${room}.ts`))
  expect(folders.filter((room) => !map.includes(`\n  ${room}/`) && !map.includes(`\n${room}/`))).toEqual([])
})
