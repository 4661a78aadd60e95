import { spawnSync } from 'node:child_process'
import process from 'node:process'
import cases from './install-system-packages.json' with { type: 'json' }

interface Program {
  readonly command: string
  readonly debianPackage: string
  readonly usedFor: string
}

/** Programs and files from Debian that some tests judge by. Each is optional: without it those tests are left out, and this says so. */
const quickPrograms: readonly Program[] = [
  { command: 'chromium', debianPackage: 'chromium', usedFor: 'pages in a real browser' },
  { command: 'xmllint', debianPackage: 'libxml2-utils', usedFor: 'well-formedness and schema checks of XML' },
  ...['brotli', 'unzip', 'zstd'].map((command) => ({
    command,
    debianPackage: command,
    usedFor: 'files of ours that a program of others unpacks',
  })),
  // Debian keeps the server's program out of the PATH, in a folder for each version.
  { command: '/usr/lib/postgresql/*/bin/postgres', debianPackage: 'postgresql', usedFor: 'several machines' },
]

/** Programs and files that only `bun run test:all` needs. The last is no program, but a file. */
const otherPrograms = cases.programs as readonly Program[]

const isForAll = process.argv.includes('--all')
const programs = isForAll ? [...quickPrograms, ...otherPrograms] : quickPrograms

function isInstalled(command: string) {
  return spawnSync('sh', ['-c', `command -v ${command} || ls ${command}`]).status === 0
}
function missing() {
  return programs.filter(({ command }) => !isInstalled(command))
}

const wanted = missing().map(({ debianPackage }) => debianPackage)
if (wanted.length > 0 && isInstalled('apt-get') && process.getuid?.() === 0) {
  console.log(`installing ${wanted.join(', ')} for the tests`)
  // In this runlevel no package starts the service that it brings.
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  spawnSync('apt-get', ['update', '-qq'], { env: environment, timeout: 120_000 })
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...wanted]
  spawnSync('apt-get', install, { env: environment, timeout: 300_000 })
}
for (const { command, debianPackage, usedFor } of missing())
  console.log(`left out, as ${command} (Debian package ${debianPackage}) is missing: ${usedFor}`)
