import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packageFile, projectFile, shippedFolder } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import { codecFiles } from '../raster/encode-lossy.ts'
import { fontFiles } from '../site/fonts/fonts.tsx'
import { guides } from '../site/guides/guides.ts'
import { examplePictureFiles } from '../site/sample-pictures.ts'
import { pathKitFile } from '../svg/path-kit.ts'
import { listFontFiles } from '../text/coverage/lookup.ts'
import contents from './build-contents.json' with { type: 'json' }

/**
 * `bun run build [directory]`: builds one executable, and beside it a folder with the fonts, emoji and logos that it reads.
 * Migrations, pages and native modules are inside. The two can be moved anywhere together. With `--target linux-arm64`,
 * which may be given several times, it packs both for each platform, and writes the checksums of all archives.
 */
const source = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Packages of the registry that differ by platform: Bun itself, and the painter of callers' pictures. */
const { platforms } = contents

type Platform = keyof typeof platforms

const { values, positionals } = parseArgs({
  options: { target: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
})
const directory = resolve(positionals[0] ?? join(source, '../dist'))
const targets = values.target.map((text) => {
  if (text in platforms) return text as Platform
  throw new Error(`--target must be one of ${Object.keys(platforms).join(', ')}, not ${text}.`)
})

if (targets.length === 0) await build(directory, undefined)
else {
  const archives: string[] = []
  for (const platform of targets) archives.push(await pack(platform))
  const sums = archives.map((path) => `${sha256(path)}  ${basename(path)}\n`)
  writeFileSync(join(directory, 'SHA256SUMS'), sums.join(''))
}

async function build(folder: string, platform: Platform | undefined): Promise<void> {
  copyFiles(join(folder, shippedFolder))
  const executable = join(folder, 'mintmark')
  const packages = platform && packagesFor(platform)
  // The programs of threads are entry points of their own, under the same root as the main one.
  const result = await Bun.build({
    entrypoints: contents.entryPoints.map((file) => join(source, file)),
    root: source,
    target: 'bun',
    minify: { whitespace: true, syntax: true },
    // Parsed at build time, so that a start takes half as long. Bytecode of other formats cannot await at the top level.
    bytecode: true,
    format: 'esm',
    compile: {
      outfile: executable,
      ...(platform && { target: `bun-${platform}` }),
      ...(packages?.bun && { executablePath: packages.bun }),
    },
    plugins: packages === undefined ? [] : [painterFrom(packages.painter)],
  })
  packages?.remove()
  if (!result.success) throw new AggregateError(result.logs, 'The executable could not be built.')
  console.log(
    `${executable} (${Math.round(statSync(executable).size / 1e6)} MB), beside it ${shippedFolder}/`,
  )
}

function copyFiles(shipped: string): void {
  rmSync(shipped, { recursive: true, force: true })
  // Files that the server reads at run time. A path that ends in a slash is a whole folder.
  const files = [...listFontFiles(), ...Object.values(codecFiles), pathKitFile, ...contents.files]
  for (const { packageName, file } of files) {
    const copy = join(shipped, packageName, file)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(packageFile(packageName, file), copy, { recursive: true, dereference: true })
  }
  const examples = [...examplePictureFiles, 'examples/themes']
  const ownFiles = ['client', 'src/client/README.md', 'LICENSE', ...fontFiles, ...examples]
  for (const name of [...ownFiles, ...guides.map(({ file }) => file)])
    cpSync(projectFile(name), join(shipped, 'mintmark', name), { recursive: true })
}

/** The files of a platform: its Bun, undefined for the one that runs, and its painter. Others are installed as bun.lock says. */
function packagesFor(platform: Platform) {
  const { bun, painter } = platforms[platform]
  if (platform === `${process.platform}-${process.arch}`)
    return { bun: undefined, painter: Bun.resolveSync(painter, projectFile('')), remove: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-packages-'))
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml'])
    cpSync(projectFile(name), join(folder, name))
  const [os = '', cpu = ''] = platform.split('-')
  const words = ['install', '--frozen-lockfile', '--ignore-scripts', '--os', os, '--cpu', cpu]
  run(process.execPath, words, folder)
  return {
    bun: join(folder, 'node_modules', bun, 'bin/bun'),
    painter: Bun.resolveSync(painter, folder),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function painterFrom(file: string): Bun.BunPlugin {
  return {
    name: 'painter',
    setup: (build) =>
      void build.onResolve({ filter: /^@resvg\/resvg-js-/ }, ({ path }) =>
        file.includes(`/${path}/`) ? { path: file } : { path, external: true },
      ),
  }
}

async function pack(platform: Platform): Promise<string> {
  const name = `mintmark-${version}-${platform}`
  const folder = join(directory, name)
  await build(folder, platform)
  cpSync(projectFile('LICENSE'), join(folder, 'LICENSE'))
  run('tar', ['-czf', `${name}.tar.gz`, '--owner=0', '--group=0', '--numeric-owner', name], directory)
  rmSync(folder, { recursive: true })
  return join(directory, `${name}.tar.gz`)
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${error?.message ?? stderr}`)
}

function sha256(path: string): string {
  return new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
}
