import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { listIcons } from '../assets/list-icons.ts'
import { packageFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'

/** The command as one program for Node, and the licences of the packages that are in it. */
export async function bundleCommand() {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [fileURLToPath(new URL('../cli/client-command.ts', import.meta.url))],
    target: 'node',
    // Unlike an ES module it is a program wherever its text comes from.
    format: 'cjs',
    // Lines stay, because Node prints the whole line that throws.
    minify: { identifiers: true, syntax: true },
    metafile: true,
    plugins: [
      {
        name: 'client',
        setup(build) {
          build.onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path: basename(path, '.ts'), namespace: 'apart' } : undefined,
          )
          const load = ({ path }: { readonly path: string }) => ({
            contents: replacements[basename(path, '.ts')] ?? absent,
            loader: 'js' as const,
          })
          build.onLoad({ filter: /./, namespace: 'apart' }, load)
          build.onLoad({ filter: /\/(?:version|list-icons|package-files)\.ts$/ }, load)
        },
      },
    ],
  })
  const packages = Object.keys(metafile?.inputs ?? {}).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? [],
  )
  return {
    program: packed((await outputs[0]?.text()) ?? ''),
    licences: [...new Set(packages)].toSorted().map(licenceOf).join('\n\n'),
  }
}

/** Modules that have other contents in the client, because the files of the server's folder are not there. */
const replacements: Readonly<Record<string, string>> = {
  version: `export const version = ${JSON.stringify(version)}`,
  'list-icons': `const icons = JSON.parse(${JSON.stringify(JSON.stringify(listIcons()))})
    export function listIcons() { return icons }`,
  'package-files': `export const isExecutable = false
    export function packageFile() { throw new Error("The client has no such file.") }`,
  // The list of all fonts' characters would make the program a third larger. What the server refuses, `check` tells.
  'count-fonts': `export async function loadFontCount() {}
    export function cutToFonts(query) { return query }
    export function fontMistakes() { return [] }`,
  'stored-brands':
    'export async function openStoredBrands() { return { brands: {}, isThere: false, close() {} } }',
}

/** Modules that are loaded when they are needed draw or store; the client does neither. */
const absent = `throw new Error(${JSON.stringify(
  'The client draws nothing: give --server and --key, or use the program itself (/docs/built-sites#the-command of every server).',
)})`

/** A program that unpacks itself in memory, because its lists of public suffixes, icons and characters are large. */
function packed(program: string): string {
  const base64 = brotliCompressSync(program).toString('base64')
  return `#!/usr/bin/env node
// The command of Mintmark's client, built from src/cli/client-command.ts by \`bun run build:client\`.
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'

const packed = '${base64}'
const program = brotliDecompressSync(Buffer.from(packed, 'base64')).toString()
compileFunction(program, ['require'], { filename: 'client-command.js' })(createRequire(import.meta.url))
`
}

function licenceOf(packageName: string): string {
  const folder = packageFile(packageName, '')
  const [name = ''] = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each))
  return `${packageName}\n\n${readFileSync(join(folder, name), 'utf8').trim()}\n`
}
