import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { readAddress } from '../support/read-address.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { createUserProject, installProject, type UserProject } from '../support/user-project.ts'

const titles = [
  'Plain words',
  `"Quotes", 'more' & <b>tags</b> \\ {{ braces }} $& 100%`,
  'Ship it 🚀 with 👩🏽‍🚀 and 🇯🇵',
  'كيف خفضنا وقت البناء إلى النصف',
  `A title that goes on and on, with ${'a family 👨‍👩‍👧‍👦 and '.repeat(8)}no end`,
]

const folder = join(import.meta.dir, '../../docs/generators')
const guides = readdirSync(folder)
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n')

/** The files that the guides for users show, by their paths: tests build what it says. */
const recipes: Readonly<Record<string, string>> = Object.fromEntries(
  [...guides.matchAll(/^`([^`\n]+)`:\n\n```[\w-]+\n(.*?)^```$/gms)].map(([, path = '', text = '']) => [
    path,
    text,
  ]),
)

function recipe(...paths: readonly string[]) {
  return Object.fromEntries(paths.map((path) => [path, recipes[path] ?? `the guide has no ${path}`]))
}

let env: Readonly<Record<string, string>> = {}
const server = started(startServer)
beforeAll(async () => {
  const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
  const own = { MINTMARK_URL: server.url, MINTMARK_KEY: id, MINTMARK_SECRET: secret }
  const forHugo = Object.entries(own).map(([name, value]) => [`HUGO_${name}`, value])
  env = { ...own, ...Object.fromEntries(forHugo) }
})

/** How a generator is used: what its project has besides the recipe, its build, and where the page of each title is. */
interface Generator {
  readonly name: string
  readonly project: UserProject | undefined
  readonly files: Readonly<Record<string, string>>
  readonly build: readonly string[]
  readonly page: (index: number) => string
}

function perTitle(path: (index: number) => string, text: (title: string) => string) {
  return Object.fromEntries(titles.map((title, index) => [path(index), text(title)]))
}

const json = JSON.stringify
const generators: readonly Generator[] = [
  {
    name: 'Astro',
    // The newest that runs on Node 20.
    project: await installProject(['astro@5.18.2']),
    files: {
      ...recipe('src/layouts/page.astro'),
      'astro.config.mjs': 'export default { telemetry: false }',
      // Half of them in Markdown, whose layout gets the front matter.
      ...perTitle(
        (index) => `src/pages/page-${index}.${index % 2 === 0 ? 'astro' : 'md'}`,
        (title) =>
          titles.indexOf(title) % 2 === 0
            ? `---\nimport Page from '../layouts/page.astro'\n---\n<Page title={${json(title)}}>Hello</Page>\n`
            : `---\nlayout: ../layouts/page.astro\ntitle: ${json(title)}\n---\nHello\n`,
      ),
    },
    build: ['node', 'node_modules/astro/astro.js', 'build'],
    page: (index) => `dist/page-${index}/index.html`,
  },
  {
    name: 'Eleventy',
    project: await installProject(['@11ty/eleventy@3.1.8']),
    files: {
      ...recipe('eleventy.config.js', '_includes/page.njk'),
      '.eleventyignore': 'node_modules',
      ...perTitle(
        (index) => `page-${index}.md`,
        (title) => `---json\n${json({ title, layout: 'page.njk', card: { theme: 'paper' } })}\n---\nHello\n`,
      ),
    },
    build: ['node', 'node_modules/@11ty/eleventy/cmd.cjs'],
    page: (index) => `_site/page-${index}/index.html`,
  },
  {
    name: 'Next',
    project: await installProject(['next@16.4.6', 'react@19.2.0', 'react-dom@19.2.0']),
    files: {
      ...recipe('app/posts/[slug]/page.jsx'),
      'posts.js': `const titles = ${json(titles)}
export const listPosts = () => titles.map((_, index) => ({ slug: 'page-' + index }))
export const readPost = async (slug) => ({ title: titles[slug.slice(5)] })`,
      'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
      'next.config.js': "export default { output: 'export' }",
    },
    build: ['node', 'node_modules/next/dist/bin/next', 'build'],
    page: (index) => `out/posts/page-${index}.html`,
  },
  {
    name: 'Hugo',
    project: Bun.which('hugo') === null ? undefined : createUserProject(),
    files: {
      'hugo.toml': `${recipes['hugo.toml']}`,
      ...recipe('layouts/_default/single.html'),
      ...perTitle(
        (index) => `content/page-${index}.md`,
        (title) => `${json({ title, card: { theme: 'paper' } })}\n\nHello\n`,
      ),
    },
    build: ['hugo'],
    page: (index) => `public/page-${index}/index.html`,
  },
  {
    name: 'a script, as plain HTML',
    project: createUserProject({ 'package.json': '{ "type": "module" }' }),
    files: {
      ...recipe('build.js'),
      'pages.json': json(titles.map((title, index) => ({ file: `page-${index}.html`, title }))),
      'template.html': '<!doctype html><html><head><!-- card --></head><body>Hello</body></html>',
    },
    build: ['node', 'build.js'],
    page: (index) => `page-${index}.html`,
  },
]

function metaTagsIn(html: string): Readonly<Record<string, string>> {
  const tags: Record<string, string> = {}
  let isHead = false
  const parser = new Parser({
    onopentag(tag, { property, name = property, content }) {
      if (tag === 'head') isHead = true
      if (tag === 'meta' && isHead && name !== undefined && content !== undefined) tags[name] = content
    },
    onclosetag(tag) {
      if (tag === 'head') isHead = false
    },
  })
  parser.end(html)
  return tags
}

async function expectCard(html: string, title: string): Promise<void> {
  const tags = metaTagsIn(html)
  const image = tags['og:image'] ?? ''
  expect(readAddress(image).parameters.get('theme')).toBe('paper')
  const response = await fetch(image)
  expect([response.status, response.headers.get('x-auth-mode')]).toEqual([200, 'key'])
  const header = new DataView(await response.arrayBuffer())
  expect(tags).toMatchObject({
    'og:image:type': response.headers.get('content-type') ?? '',
    'og:image:width': String(header.getUint32(16)),
    'og:image:height': String(header.getUint32(20)),
    'og:image:alt': title,
    'twitter:card': 'summary_large_image',
    'twitter:image': image,
    'twitter:image:alt': title,
  })
  expect(tags['og:image:type']).toBe('image/png')
}

describe.each(generators.filter(({ project }) => project !== undefined))(
  'a site built by $name',
  (generator) => {
    const project = generator.project ?? createUserProject()
    beforeAll(async () => {
      project.write(generator.files)
      await project.run(['npm', 'install', '--no-audit', '--no-fund', `${server.url}/client.tgz`])
      await project.run(generator.build, env)
    })
    afterAll(() => rmSync(project.folder, { recursive: true, force: true }))

    test.each(titles)('has a card that networks can show: %s', async (title) => {
      const path = join(project.folder, generator.page(titles.indexOf(title)))
      await expectCard(readFileSync(path, 'utf8'), title)
    })

    test('has no secret in it', async () => {
      const found = await Array.fromAsync(
        new Bun.Glob('**/*.{html,js,txt,json}').scan({ cwd: project.folder }),
      )
      const [output = ''] = generator.page(0).split(/(?<=\/)|0/)
      const built = found.filter((path) => path.startsWith(output))
      expect(built.length).toBeGreaterThanOrEqual(titles.length)
      const secret = env['MINTMARK_SECRET'] ?? 'none'
      expect(
        built.filter((path) => readFileSync(join(project.folder, path), 'utf8').includes(secret)),
      ).toEqual([])
    })
  },
)

describe.skipIf(Bun.which('hugo') === null)('Hugo, which signs by itself', () => {
  async function built(page: Readonly<Record<string, unknown>>): Promise<string> {
    const project = createUserProject({
      'hugo.toml': `${recipes['hugo.toml']}`,
      ...recipe('layouts/_default/single.html'),
      'content/page.md': `${json(page)}\n\nHello\n`,
    })
    try {
      await project.run(['npm', 'install', '--no-audit', '--no-fund', `${server.url}/client.tgz`])
      await project.run(['hugo'], env)
      return readFileSync(join(project.folder, 'public/page/index.html'), 'utf8')
    } finally {
      rmSync(project.folder, { recursive: true, force: true })
    }
  }

  test('names a page that has no title', () => {
    return expect(built({})).rejects.toThrow('/page/ has no title for its card')
  })

  test('keeps the case of every parameter', async () => {
    const image =
      metaTagsIn(await built({ title: 'Plain words', card: { cacheSeconds: 90 } }))['og:image'] ?? ''
    const response = await fetch(image)
    const expected = [200, expect.stringContaining('max-age=90,')]
    expect([response.status, response.headers.get('cache-control')]).toEqual(expected)
  })
})
