import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { settings } from '../src/config.ts'

/** Documents about the code. Reports and results are written by programs. */
const documents = [
  ...['AGENTS.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...[...new Glob('docs/**/*.md').scanSync('.')].filter((path) => !path.endsWith('RELIABILITY.md')),
]

/** Names in documents that belong to packages, runtimes, browsers and other programs. */
const outsideNames = new Set(['mapResponse'])

const scripts = new Set(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts))
const words = new Set(
  ['src', 'admin', 'client', 'bench', 'test', 'deploy']
    .flatMap((folder) => [
      ...new Glob(`${folder}/**/*.{ts,tsx,js,json,sql,html,yaml,yml}`).scanSync({ cwd: '.' }),
    ])
    .filter((path) => !/fixtures|golden|vectors|results|document-names/.test(path))
    .flatMap((path) => readFileSync(path, 'utf8').match(/[A-Za-z_]\w+/g) ?? []),
)

/** Returns what a document names in code quotes and the program does not have. */
function unknownNames(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return quoted.filter((code) => {
    const script = /^bun run ([\w:]+)/.exec(code)?.[1]
    if (script !== undefined) return !scripts.has(script)
    const setting = /^(?:X402|FETCH|ADMIN|PRICE)_[A-Z_]+$/.exec(code)?.[0]
    if (setting !== undefined) return !(setting.replace(/_FILE$/, '') in settings || setting in settings)
    const isFunction = /^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(code)
    return isFunction && !words.has(code) && !outsideNames.has(code)
  })
}

test('documents name no function, setting or command that the program does not have', () => {
  const unknown = documents.flatMap((document) =>
    unknownNames(readFileSync(document, 'utf8')).map((name) => `${document}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('a name that nothing has is found', () => {
  const text = 'It calls `functionOfNoFile`, reads `X402_NO_SUCH`, and `bun run nothing` starts it.'
  expect(unknownNames(text)).toEqual(['functionOfNoFile', 'X402_NO_SUCH', 'bun run nothing'])
})
