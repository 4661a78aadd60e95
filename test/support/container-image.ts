import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const hasPrograms =
  process.getuid?.() === 0 &&
  spawnSync('buildah', ['--version']).status === 0 &&
  spawnSync('unshare', ['--mount', 'true']).status === 0

/** Why no image can be built here; undefined where one can. */
export const noImageReason = hasPrograms
  ? undefined
  : 'the image is not built: that needs root, unshare and buildah (Debian package buildah)'

export type ContainerImage = ReturnType<typeof buildImage>

export interface RunOptions {
  /** A folder of this machine that is mounted at /data; without one nothing is mounted there. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Files beside the source that must stay out of every image. */
const secretFiles = ['.env', 'data/master.key', 'deploy/.env', '.git/config', 'node_modules/.cache/a']

/**
 * Builds the Dockerfile with buildah, from a base that has this machine's Bun in the place of the published one. Throws
 * with buildah's own words when it cannot.
 *
 * @param mounts folders and files of this machine, by the path at which the image has them while it is built and run
 */
export function buildImage(mounts: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-image-'))
  // In memory, because buildah waits for the disk after every step.
  spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder])
  // Mounted and not copied, because it is large.
  const all = { '/usr/local/bin/bun': realpathSync(process.execPath), ...mounts }
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  function buildah(...words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('buildah', [...store, ...words], {
      env: { ...process.env, TMPDIR: folder },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status !== 0) throw new Error(`buildah ${words[0]} failed: ${stderr}${stdout.slice(-2000)}`)
    return stdout.trim()
  }

  const volumes = Object.entries(all).flatMap(([path, source]) => ['--volume', `${source}:${path}`])
  const build = ['build', '--quiet', '--isolation', 'chroot', '--pull-never', '--format', 'docker']
  buildah(...build, '--file', join(folder, 'Base'), '--tag', baseName(), writeBase(folder))
  buildah(...build, '--network', 'host', ...volumes, '--tag', 'mintmark', writeContext(folder))
  const tree = buildah('mount', buildah('from', '--pull-never', 'mintmark'))
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', 'mintmark')).Docker
  const leaked = secretFiles.filter((name) => existsSync(join(tree, 'app', name)))
  if (leaked.length > 0) throw new Error(`The image has ${leaked.join(', ')}.`)
  const [uid = '', gid = ''] = idsOf(config.User, readFileSync(join(tree, 'etc/passwd'), 'utf8'))

  return {
    cmd: config.Cmd as readonly string[],
    healthCheck: config.Healthcheck.Test.slice(1) as readonly string[],
    uid: Number(uid),
    /** The words that run a program of the image as its user, on a read-only root with `dataDir` at /data. */
    command(program: readonly string[], { dataDir, env = {} }: RunOptions): readonly string[] {
      const inside = { ...all, '/dev': '/dev', ...(dataDir !== undefined && { '/data': dataDir }) }
      const script = [
        'set -e',
        `mount --bind '${tree}' '${tree}'`,
        ...Object.entries(inside).map(([path, source]) => `mount --rbind '${source}' '${tree}${path}'`),
        `mount -t proc proc '${tree}/proc'`,
        `mount -o remount,bind,ro '${tree}'`,
        'exec env -i "$@"',
      ].join('\n')
      const settings = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
      const enter = ['/usr/sbin/chroot', `--userspec=${uid}:${gid}`, '--groups=', tree]
      const run = ['/bin/sh', '-c', `cd ${config.WorkingDir} && exec "$@"`, 'sh', ...program]
      return ['unshare', '--mount', 'sh', '-c', script, 'sh', ...settings, ...enter, ...run]
    },
    remove() {
      spawnSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The image that the Dockerfile begins with. */
function baseName(): string {
  const [, name = ''] = /^FROM (\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  return `docker.io/${name}`
}

/**
 * Copies the repository without what buildah 1.28 would look through again for each COPY, ignored or not: 50,000 files.
 * Secrets lie in their places instead, which no image may have.
 */
function writeContext(folder: string): string {
  const context = join(folder, 'context')
  const heavy = new Set(['.git', 'node_modules', 'bench', 'test'].map((name) => join(root, name)))
  cpSync(root, context, { recursive: true, filter: (path) => !heavy.has(path) })
  for (const name of secretFiles) {
    mkdirSync(dirname(join(context, name)), { recursive: true })
    writeFileSync(join(context, name), '')
  }
  return context
}

/** Writes what every base image has, besides Bun, and returns its folder. */
function writeBase(folder: string): string {
  const base = join(folder, 'base')
  for (const name of ['bin', 'dev', 'etc', 'proc', 'root', 'usr/local/bin'])
    mkdirSync(join(base, name), { recursive: true })
  for (const program of ['/bin/sh', '/bin/mkdir', '/bin/chown', process.execPath, nativeModule()]) {
    if (program.startsWith('/bin/')) copyFileSync(program, join(base, 'bin', basename(program)))
    for (const [library] of spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.matchAll(/\/\S+/g)) {
      mkdirSync(join(base, dirname(library)), { recursive: true })
      copyFileSync(library, join(base, library))
    }
  }
  // The user that oven/bun has.
  writeFileSync(join(base, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nbun:x:1000:1000::/home/bun:/bin/sh\n')
  writeFileSync(join(base, 'etc/group'), 'root:x:0:\nbun:x:1000:\n')
  writeFileSync(join(folder, 'Base'), 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n')
  return base
}

/** The native module that Bun loads; it needs libraries of the system too. */
function nativeModule(): string {
  return [...new Bun.Glob('node_modules/@resvg/*/*.node').scanSync({ cwd: root, absolute: true })][0] ?? ''
}

function idsOf(user: string, passwd: string): readonly string[] {
  const line = passwd.split('\n').find((each) => each.startsWith(`${user}:`))
  return line?.split(':').slice(2, 4) ?? []
}
