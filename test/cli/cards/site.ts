import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parsePreview } from '../../../src/assets/preview/page-parser.ts'
import { mintmark } from '../support/mintmark.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

let made = 0

/** A built site of its own in a directory of tests, with what a run needs. */
export function newSite(directory: string, files: Files) {
  made += 1
  const around = join(directory, String(made))
  const folder = join(around, 'dist')
  const cache = join(around, 'cache')
  mkdirSync(folder, { recursive: true })
  function write(more: Files): void {
    for (const [file, content] of Object.entries(more)) {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
  }
  write(files)
  return {
    around,
    folder,
    cache,
    write,
    words: (...more: readonly string[]) => ['cards', folder, '--cache', cache, ...more],
    run: (...more: readonly string[]) => mintmark(['cards', folder, '--cache', cache, ...more]),
    text: (file: string) => readFileSync(join(folder, file), 'utf8'),
    pictures: (out = 'og') =>
      existsSync(join(folder, out))
        ? readdirSync(join(folder, out)).filter((name) => /^[^.]/.test(name))
        : [],
    /** Content, mode and time of every file, by which a change shows. */
    state: () => stateOf(folder),
  }
}

export function page(title: string, head = '', base = 'https://a.example/'): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  ${head.replace('CANONICAL', `<link rel="canonical" href="${base}`)}
</head>
<body><h1>${title}</h1></body>
</html>
`
}

export async function previewOf(text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return await parsePreview(bytes, { url: 'https://a.example/', headers: { 'content-type': 'text/html' } })
}

export function ownTags(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)" data-mintmark/g)].map(
      ([, name = '', content = '']) => [name, content],
    ),
  )
}

function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mode, mtimeMs, ino } = statSync(path)
      return `${path} ${mode} ${mtimeMs} ${ino} ${Bun.hash(readFileSync(path))}`
    })
}
