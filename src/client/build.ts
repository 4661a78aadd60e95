import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { TSchema } from '@sinclair/typebox'
import type { Asset } from '../assets/kit/asset.ts'
import { listIcons } from '../assets/list-icons.ts'
import { assets } from '../catalog.ts'
import { allowedValues } from '../lib/fields.ts'
import { packageFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import * as cardValues from './card-values.ts'
import { cardExtents } from './card-values.ts'
import { parameterForms } from './parameter-forms.ts'
import { parameterRules } from './parameter-rules.ts'

/**
 * `bun run build:client [directory]`: writes the types of parameters from the catalog, by default into this folder, then
 * `client.js` and `client.d.ts`, by default into `client/`. They are kept in the repository, because a server that runs under Deno or as an executable has nothing to build them with.
 */
const source = dirname(fileURLToPath(import.meta.url))
const client = join(source, '../../client')
const target = process.argv[2] ?? client

/** The lists of Hugo's partial are between these. */
const first = '{{- /* Lists of the catalog, written by `bun run build:client`. */ -}}\n'
const last = '{{- /* End of the lists. */ -}}\n'

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
  installation:
    'export async function openStoredBrands() { return { brands: {}, isThere: false, close() {} } }',
}

/** Modules that are loaded when they are needed draw or store; the client does neither. */
const absent = `throw new Error(${JSON.stringify(
  'The client draws nothing: give --server and --key, or use the program itself (/docs/built-sites#the-command of every server).',
)})`

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
    'parameter-rules': `export const parameterRules = ${JSON.stringify(parameterRules)}`,
    'card-values': Object.entries(cardValues)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
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

/** The declarations of the files that are public, as one file: what they import of each other is included. */
function declarations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-client-'))
  try {
    const names = ['parameters.generated', 'types', 'sign-url', 'embed-url', 'card-tags']
    const flags =
      '--ignoreConfig --declaration --emitDeclarationOnly --noCheck --noResolve --module preserve --target esnext --outDir'
    const files = names.map((name) => join(source, `${name}.ts`))
    Bun.spawnSync([process.execPath, 'x', 'tsc', ...flags.split(' '), folder, ...files])
    const texts = names.map((name) => readFileSync(join(folder, `${name}.d.ts`), 'utf8'))
    return texts.join('\n').replace(/^import [^;]*;\n/gm, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function withHugoLists(partial: string): string {
  const [before = '', rest = ''] = partial.split(first)
  const [, after] = rest.split(last)
  if (after === undefined) throw new Error('The partial for Hugo lacks the marks of its lists.')
  return before + first + lists() + last + after
}

function lists(): string {
  const rules = Object.entries(parameterRules['og'] ?? {}).flatMap(([name, rule]) =>
    typeof rule === 'string' ? [] : [[name, rule.by?.[1] ? {} : rule] as const],
  )
  /** A dictionary by parameter. Hugo writes names of front matter in lower case. */
  function dict(textOf: (rule: (typeof rules)[number][1]) => string | undefined): string {
    return dictOf(
      rules.flatMap(([name, rule]): [string, string][] => {
        const text = textOf(rule)
        return text === undefined ? [] : [[name.toLowerCase(), text]]
      }),
    )
  }
  const values = {
    names: dictOf(rules.map(([name]) => [name.toLowerCase(), JSON.stringify(name)])),
    choices: dict(({ oneOf }) => oneOf && slice(oneOf)),
    ranges: dict(({ range }) => range && slice([range[0], range[1]])),
    formats: dict(({ formats }) => formats && slice(formats)),
    lengths: dict(({ chars }) => chars && String(chars[2] ?? chars[1])),
    forms: dict(({ form = '' }) => formOf(form)),
    sizes: dictOf(Object.entries(cardExtents).map(([name, extent]) => [name, slice(extent)])),
  }
  return Object.entries(values)
    .map(([name, value]) => `{{- $${name} := ${value} -}}\n`)
    .join('')
}

/** Pattern and meaning of a form. Those that Go cannot read are left to the service. */
function formOf(name: string): string | undefined {
  const [pattern, meaning = ''] = parameterForms[name] ?? []
  if (pattern === undefined || pattern.source.includes('(?!')) return undefined
  return `(slice \`${pattern.ignoreCase ? '(?i)' : ''}${pattern.source}\` ${JSON.stringify(meaning)})`
}

function dictOf(pairs: readonly (readonly [string, string])[]): string {
  return ['dict', ...pairs.map(([name, value]) => `"${name}" ${value}`)].join(' ')
}

function slice(values: readonly (string | number)[]): string {
  return `(slice ${values.map((value) => JSON.stringify(value)).join(' ')})`
}

function parameterTypes(): string {
  const declarations = assets.filter(({ priceMicros }) => priceMicros !== undefined).map(declarationOf)
  return `// Written by \`bun run build:client\` from the catalog.\n\n${declarations.join('\n\n')}\n`
}

function declarationOf({ id, path, query }: Asset): string {
  const members = Object.entries<TSchema>(query.properties).flatMap(([name, field]) => {
    const isRequired = query.required?.includes(name) && field['default'] === undefined
    const aliases: readonly string[] = field['aliases'] ?? []
    return [name, ...aliases].map((each) => {
      const key = /^\w+$/.test(each) ? each : `'${each}'`
      const type = isRequired ? typeOf(field) : `${typeOf(field)} | undefined`
      return `  /** ${field['description']}. */\n  readonly ${key}${isRequired ? '' : '?'}: ${type}`
    })
  })
  // The parameters of `cardTags` had the shorter name first.
  const name = id === 'card' ? 'PageCardParameters' : `${id[0]?.toUpperCase()}${id.slice(1)}Parameters`
  return `/** The parameters of \`${path}\`. */\nexport interface ${name} {\n${members.join('\n')}\n}`
}

function typeOf(field: TSchema): string {
  const { type } = field
  if (type === 'array') return 'string | readonly string[]'
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
  if (type === 'integer' || type === 'number') return 'number | `${number}`'
  if (type === 'boolean') return "boolean | 0 | 1 | 'true' | 'false' | '0' | '1'"
  const values = allowedValues(field)
  // A number may be written as one: `length: 2`.
  if (values)
    return values.flatMap((value) => [`'${value}'`, ...(/^\d+$/.test(value) ? [value] : [])]).join(' | ')
  // Free text may be a number too: `value: 97`.
  return field['format'] === undefined && field['minLength'] !== undefined ? 'string | number' : 'string'
}

/** The command as one program for Node, and the licences of the packages that are in it. */
async function bundleCommand() {
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
