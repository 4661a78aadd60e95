import { afterAll, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '..')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const [dependencies = '', runtime = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
const folder = mkdtempSync(join(tmpdir(), 'mintmark-image-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What a stage copies from the repository. */
function copied(stage: string): string[] {
  return [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
}

function jsonAfter(word: string): string[] {
  return JSON.parse(new RegExp(`${word} (\\[.*\\])`).exec(runtime)?.[1] ?? '[]')
}

test('the files that the image copies are enough to serve, with production packages only, and its health check tells', async () => {
  for (const name of new Set([...copied(dependencies), ...copied(runtime)])) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  const install = spawnSync(process.execPath, ['install', '--frozen-lockfile', '--production'], {
    cwd: folder,
  })
  expect(install.status).toBe(0)

  const [, ...command] = jsonAfter('\nCMD')
  const environment = {
    PATH: process.env['PATH'] ?? '',
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
  }
  const server = spawn(process.execPath, command, { cwd: folder, env: environment })
  const port = await new Promise<string>((resolve) => {
    server.stdout.on('data', (chunk) => {
      const found = /"port":(\d+)/.exec(String(chunk))?.[1]
      if (found) resolve(found)
    })
  })
  const card = await fetch(`http://127.0.0.1:${port}/api/og.png?title=Hello&demo=1`)
  expect(card.status).toBe(200)

  const [, ...check] = jsonAfter('HEALTHCHECK[^\\[]*CMD')
  function ask() {
    return spawnSync(process.execPath, check, { env: { ...environment, PORT: port } }).status
  }
  expect(ask()).toBe(0)
  server.kill('SIGKILL')
  await new Promise((resolve) => server.on('exit', resolve))
  expect(ask()).toBe(1)
}, 60_000)

test('the image serves without root and gets its signals itself', () => {
  expect(runtime).toMatch(/^USER bun$/m)
  expect(jsonAfter('\nCMD')).toEqual(['bun', 'src/main.ts'])
})
