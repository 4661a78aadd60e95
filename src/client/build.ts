import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { bundleCommand } from './bundle-command.ts'
import * as cardValues from './card-values.ts'
import { withHugoLists } from './hugo-lists.ts'
import { parameterRules } from './parameter-rules.ts'
import { parameterTypes } from './parameter-types.ts'

/**
 * `bun run build:client [directory]`: writes the types of parameters from the catalog, by default into this folder, then
 * `client.js` and `client.d.ts`, by default into `client/`. They are kept in the repository, because a server that runs under Deno or as an executable has nothing to build them with.
 */
const source = dirname(fileURLToPath(import.meta.url))
const client = join(source, '../../client')
const target = process.argv[2] ?? client

await Bun.write(join(process.argv[2] ?? source, 'parameters.generated.ts'), parameterTypes())
await Bun.write(join(target, 'client.js'), await bundle())
await Bun.write(join(target, 'client.d.ts'), declarations())
const { program, licences } = await bundleCommand()
await Bun.write(join(target, 'mintmark.js'), program)
await Bun.write(join(target, 'mintmark.LICENSES.txt'), licences)
await Bun.write(
  join(target, 'hugo/card-tags.html'),
  withHugoLists(readFileSync(join(client, 'hugo/card-tags.html'), 'utf8')),
)

/** One minified module. It has the rules of parameters as values; the catalog that they follow from stays on the server. */
async function bundle(): Promise<string> {
  const contents: Readonly<Record<string, string>> = {
    'parameter-rules': `export const parameterRules = ${literal(parameterRules)}`,
    'card-values': Object.entries(cardValues)
      .map(([name, value]) => `export const ${name} = ${literal(value)}`)
      .join('\n'),
  }
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'index.ts')],
    minify: true,
    target: 'browser',
    plugins: [
      {
        name: 'values',
        setup: (build) =>
          void build.onLoad({ filter: /\/(?:parameter-rules|card-values)\.ts$/ }, ({ path }) => ({
            contents: contents[basename(path, '.ts')] ?? '',
            loader: 'js',
          })),
      },
    ],
  })
  const text = (await outputs[0]?.text()) ?? ''
  // Before the message of an error Node prints the whole line that throws.
  return text.replaceAll('}function ', '}\nfunction ')
}

function literal(value: unknown): string {
  return JSON.stringify(value)
}

/** The declarations of the files that are public, as one file: what they import of each other is included. */
function declarations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-client-'))
  try {
    const names = ['parameters.generated', 'types', 'sign-url', 'embed-url', 'card-image', 'card-tags']
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
    return texts.join('\n').replace(/^import [^;]*;\n/gm, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
