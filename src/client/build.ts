import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { cardExtents } from './card-extents.ts'
import { textLimits } from './text-limits.ts'

/**
 * `bun run build:client [directory]`: writes `client.js` and `client.d.ts` from this folder, by default into `client/`. They
 * are kept in the repository, because a server that runs under Deno or as an executable has nothing to build them with.
 */
const source = dirname(fileURLToPath(import.meta.url))
const target = process.argv[2] ?? join(source, '../../client')

await Bun.write(join(target, 'client.js'), await bundle())
await Bun.write(join(target, 'client.d.ts'), declarations())

/** One minified module. It has the values of the limits; the catalog that they follow from stays on the server. */
async function bundle(): Promise<Blob> {
  const contents: Readonly<Record<string, string>> = {
    'text-limits': `export const textLimits = ${literal(textLimits)}`,
    'card-extents': `export const cardExtents = ${literal(cardExtents)}`,
  }
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'index.ts')],
    minify: true,
    target: 'browser',
    plugins: [
      {
        name: 'values',
        setup: (build) =>
          void build.onLoad({ filter: /\/(?:text-limits|card-extents)\.ts$/ }, ({ path }) => ({
            contents: contents[basename(path, '.ts')] ?? '',
            loader: 'js',
          })),
      },
    ],
  })
  return outputs[0] ?? new Blob()
}

function literal(value: unknown): string {
  return JSON.stringify(value)
}

/** The declarations of the files that are public, as one file: what they import of each other stands in it. */
function declarations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-client-'))
  try {
    const names = ['types', 'sign-url', 'embed-url', 'card-image', 'card-tags']
    const flags =
      '--declaration --emitDeclarationOnly --noCheck --noResolve --module preserve --target esnext'
    const files = names.map((name) => join(source, `${name}.ts`))
    Bun.spawnSync([
      process.execPath,
      'x',
      'tsc',
      '--ignoreConfig',
      ...flags.split(' '),
      '--outDir',
      folder,
      ...files,
    ])
    const texts = names.map((name) => readFileSync(join(folder, `${name}.d.ts`), 'utf8'))
    return texts.join('\n').replace(/^import .*\n/gm, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
