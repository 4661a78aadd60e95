import { afterAll, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImage, type ContainerImage, noImageReason, type RunOptions } from './support/container-image.ts'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-image-test-'))
let image: ContainerImage | undefined
if (noImageReason !== undefined) console.log(`left out: ${noImageReason}`)
afterAll(() => {
  image?.remove()
  rmSync(folder, { recursive: true, force: true })
})

function install(): string {
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml'])
    copyFileSync(join(root, name), join(folder, name))
  const words = ['install', '--frozen-lockfile', '--production']
  expect(spawnSync(process.execPath, words, { cwd: folder }).status).toBe(0)
  return join(folder, 'node_modules')
}

/** Builds the image once. Its packages are mounted, because to copy their 20,000 files into each layer takes half a minute. */
function built(): ContainerImage {
  image ??= buildImage({ '/app/node_modules': install() })
  return image
}

/** A folder for /data, of the given user and mode. */
function volume(name: string, uid: number, mode: number): string {
  const path = join(folder, name)
  mkdirSync(path)
  chownSync(path, uid, uid)
  chmodSync(path, mode)
  return path
}

function start({ cmd, command }: ContainerImage, options: RunOptions) {
  const env = { PORT: '0', HOST: '127.0.0.1', ...options.env }
  const [program = '', ...words] = command(cmd, { ...options, env })
  return spawn(program, words)
}

function portOf({ stdout, stderr }: ReturnType<typeof start>): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    stdout.on('data', (chunk) => {
      const port = /"port":(\d+)/.exec(String(chunk))?.[1]
      if (port) resolve(port)
    })
    stdout.on('end', () => reject(new Error(`The container ended: ${said}`)))
  })
}

async function refusal(options: RunOptions): Promise<string> {
  const container = start(built(), options)
  let said = ''
  container.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  expect(await new Promise((resolve) => container.on('close', resolve))).toBe(1)
  return said
}

test.skipIf(noImageReason !== undefined)(
  'the image is built from what .dockerignore lets through, and serves without rights on a read-only root with production packages only, precompiled',
  async () => {
    const container = built()
    const data = volume('data', container.uid, 0o700)
    const server = start(container, { dataDir: data })
    const port = await portOf(server)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    const card = await fetch(`http://127.0.0.1:${port}/api/og.png?title=Hello&demo=1`)
    expect([card.status, (await card.bytes()).slice(1, 4)]).toEqual([200, new TextEncoder().encode('PNG')])
    for (const path of ['/client.tgz', '/docs/astro', '/docs/install'])
      expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 200])

    const script = "console.log((await import('/app/src/cli/precompiled.ts')).precompiledProgram())"
    const [program = '', ...words] = container.command(['bun', '-e', script], {})
    expect(String(spawnSync(program, words).stdout)).toMatch(/^\/app\/dist\/precompiled\/.*\/start\.js\n$/)

    function healthCheck() {
      const [program = '', ...words] = container.command(container.healthCheck, { env: { PORT: port } })
      return spawnSync(program, words).status
    }
    expect(healthCheck()).toBe(0)
    server.kill('SIGKILL')
    await new Promise((resolve) => server.on('exit', resolve))
    expect(healthCheck()).toBe(1)
  },
)

test.skipIf(noImageReason !== undefined)(
  'a container says what to do where it may not write to its volume, or has none',
  async () => {
    const ofRoot = volume('of-root', 0, 0o755)
    const said = await refusal({ dataDir: ofRoot })
    expect(said).toContain('/data/mintmark.sqlite (DATA_DIR) cannot be opened')
    expect(said).toContain('This process runs as user 1000')
    expect(await refusal({})).toContain('/data/mintmark.sqlite (DATA_DIR) is read-only')
  },
)

test('the image serves without root and gets its signals itself', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  expect(dockerfile).toMatch(/^USER bun$/m)
  expect(dockerfile).toEndWith('\nCMD ["bun", "src/main.ts"]\n')
})
