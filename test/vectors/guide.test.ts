import { describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createUserProject } from '../support/user-project.ts'
import { addressVectors } from './addresses.ts'

const guide = readFileSync(join(import.meta.dir, '../../docs/embedding.md'), 'utf8')
const section = guide.slice(guide.indexOf('\n## Other languages\n'))
const blocks = new Map(
  [...section.matchAll(/^```([\w-]+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => [
    language,
    code,
  ]),
)
const vector = addressVectors.vectors.find(({ name }) => name === 'a plain title')
const url = 'https://mintmark.example'
const own = { MINTMARK_URL: url, MINTMARK_KEY: vector?.key ?? '', MINTMARK_SECRET: vector?.secret ?? '' }

describe('the lines of the guide sign the published address', () => {
  for (const [language, file, ...command] of [
    ['sh', 'sign.sh', 'sh'],
    ['js', 'sign.mjs', 'node'],
    ['python', 'sign.py', 'python3'],
    ['php', 'sign.php', 'php'],
    ['ruby', 'sign.rb', 'ruby'],
  ] as const)
    test.skipIf(Bun.which(command[0]) === null)(`in ${language}`, async () => {
      const project = createUserProject({ [file]: blocks.get(language) ?? '' })
      try {
        expect((await project.run([...command, file], own)).trim()).toBe(`${url}${vector?.address}`)
      } finally {
        rmSync(project.folder, { recursive: true })
      }
    })

  test.skipIf(Bun.which('hugo') === null)('in a Hugo template', async () => {
    const project = createUserProject({
      'hugo.toml': 'disableKinds = ["taxonomy", "term", "home", "section"]\n',
      'layouts/_default/single.html': blocks.get('go-html-template') ?? '',
      'content/hello.md': '{ "title": "Hello" }\n',
    })
    try {
      const env = Object.entries(own).map(([name, value]) => [`HUGO_${name}`, value])
      await project.run(['hugo'], Object.fromEntries(env))
      const built = readFileSync(join(project.folder, 'public/hello/index.html'), 'utf8')
      expect(built.trim()).toBe(`${url}${vector?.address}`)
    } finally {
      rmSync(project.folder, { recursive: true })
    }
  })
})
