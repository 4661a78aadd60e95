import { afterAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { lockFolder } from '../../../src/cli/cards/site-folder.ts'
import { readPictureHeader } from '../../../src/raster/picture-headers.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { mintmarkProcess, startMintmark } from '../support/mintmark.ts'
import { newSite, page } from './site.ts'

const directory = temporaryDirectory()
const disk = mountSmallDisk()
afterAll(() => disk?.remove())

const base = ['--base', 'https://a.example/', '--theme', 'terminal']

function manyPages(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${index}.html`, page(`Page ${index}`)]),
  )
}

type Site = ReturnType<typeof newSite>

/** Names of files that are neither a page as it was, nor a page with all tags, nor a whole picture. */
function tornFiles(
  { folder, text, pictures }: Site,
  originals: Readonly<Record<string, string>>,
): readonly string[] {
  const tornPages = Object.entries(originals).flatMap(([file, original]) => {
    const now = text(file)
    const tags = now.match(/<meta [^>]* data-mintmark>/g) ?? []
    const isWhole =
      now.replace(/\s*<meta [^>]* data-mintmark>/g, '') === original && [0, 8].includes(tags.length)
    return isWhole ? [] : [file]
  })
  const tornPictures = pictures().filter((name) => {
    const bytes = readFileSync(join(folder, 'og', name))
    return readPictureHeader('png', bytes)?.endsAt !== bytes.length
  })
  return [...tornPages, ...tornPictures]
}

function leftovers(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.mintmark/.test(name) && !name.endsWith('.mintmark.json'))
}

test('a run that is killed leaves whole files, and the next one goes on', async () => {
  const originals = manyPages(60)
  const site = newSite(directory, originals)
  for (const pages of [3, 20]) {
    const child = startMintmark(site.words(...base))
    while (site.pictures().length < pages && child.exitCode === null) await Bun.sleep(5)
    child.kill('SIGKILL')
    await child.exited
    expect(tornFiles(site, originals)).toEqual([])
  }
  const drawn = site.pictures().length
  const { exitCode, lines } = await site.run(...base)
  expect(exitCode).toBe(0)
  expect(lines[2]).toMatch(/^Tags: \d+ pages written/)
  expect(Number(/(\d+) drawn/.exec(lines[1] ?? '')?.[1])).toBeLessThanOrEqual(60 - drawn + 2)
  expect(tornFiles(site, originals)).toEqual([])
  expect(leftovers(site.folder)).toEqual([])
})

test('a run that is asked to stop ends its work in order', async () => {
  const originals = manyPages(60)
  const site = newSite(directory, originals)
  const child = startMintmark(site.words(...base))
  while (site.pictures().length < 3 && child.exitCode === null) await Bun.sleep(5)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(130)
  expect(tornFiles(site, originals)).toEqual([])
  expect(leftovers(site.folder)).toEqual([])
})

test.skipIf(disk === undefined)('a full disk leaves whole files, and says which are missing', async () => {
  const originals = manyPages(20)
  const site = newSite(disk?.path ?? '', originals)
  disk?.fill()
  const { exitCode, errors } = await mintmarkProcess(site.words(...base))
  expect(exitCode).toBe(1)
  expect(errors).toContain('the disk is full')
  expect(tornFiles(site, originals)).toEqual([])
  disk?.empty()
  expect((await mintmarkProcess(site.words(...base))).exitCode).toBe(0)
  expect(leftovers(site.folder)).toEqual([])
})

test('a page that changes during a run is told, and is not overwritten', async () => {
  const originals = manyPages(40)
  const site = newSite(directory, originals)
  const child = startMintmark(site.words(...base))
  while (site.pictures().length < 1 && child.exitCode === null) await Bun.sleep(5)
  writeFileSync(join(site.folder, 'p9.html'), page('Changed meanwhile'))
  const errors = await new Response(child.stderr).text()
  expect(await child.exited).toBe(1)
  expect(errors).toContain('p9.html: it has changed while the run was reading the site')
  expect(site.text('p9.html')).toBe(page('Changed meanwhile'))
  expect(site.text('p8.html')).toContain('data-mintmark')
})

test.skipIf(process.getuid?.() !== 0)('a folder of another user is told by its name', async () => {
  const site = newSite(directory, manyPages(1))
  chmodSync(site.folder, 0o555)
  for (const path of [directory, site.around]) chmodSync(path, 0o755)
  // Root may write everywhere, so that this needs another user.
  const words = site.words(...base).map((word) => (word === site.cache ? '/nonexistent' : word))
  const child = spawnSync(process.execPath, ['src/main.ts', ...words], {
    uid: 65_534,
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
  })
  expect(child.status).toBe(1)
  expect(child.stderr.toString()).toContain(`${site.folder}/.mintmark.lock: this user has no right to it`)
  expect(site.text('p0.html')).toBe(page('Page 0'))
})

describe('one run at a time', () => {
  test('two at once both end well', async () => {
    const originals = manyPages(12)
    const site = newSite(directory, originals)
    const runs = await Promise.all([1, 2].map(() => mintmarkProcess(site.words(...base))))
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(tornFiles(site, originals)).toEqual([])
    expect(site.pictures()).toHaveLength(12)
    expect(leftovers(site.folder)).toEqual([])
  })

  test('the second waits ten seconds for the first, then says who has the lock', async () => {
    const site = newSite(directory, manyPages(1))
    const unlock = await lockFolder(site.folder)
    const { exitCode, errors } = await site.run(...base)
    expect(exitCode).toBe(1)
    expect(errors).toContain(`another run is at work here (process ${process.pid} on ${hostname()})`)
    unlock()
    expect((await site.run(...base)).exitCode).toBe(0)
  })

  test.each([
    ['a process that has ended', { pid: 4_194_304, started: '', host: hostname() }],
    ['a process whose number another has now', { pid: process.pid, started: '1', host: hostname() }],
  ])('the lock of %s is taken over, by one of several', async (_, holder) => {
    const site = newSite(directory, {})
    const path = join(site.folder, '.mintmark.lock')
    writeFileSync(path, JSON.stringify(holder))
    let held = 0
    let heldMax = 0
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const unlock = await lockFolder(site.folder)
        held += 1
        heldMax = Math.max(heldMax, held)
        await Bun.sleep(5)
        held -= 1
        unlock()
      }),
    )
    expect(heldMax).toBe(1)
    expect(existsSync(path)).toBe(false)
    rmSync(site.folder, { recursive: true })
  })
})
