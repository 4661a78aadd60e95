import { afterEach, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { throwUndrawn } from '../../src/assets/picture-files.ts'
import {
  createPictureDrawer,
  type PictureDrawer,
  type PictureDrawerOptions,
  PictureLimited,
  PictureRefused,
  PictureTooLong,
} from '../../src/raster/picture-process/picture-drawer.ts'
import { RasterBusy } from '../../src/raster/thread-pool.ts'
import { denoProgram } from '../support/deno-program.ts'
import { hangMsMax } from '../support/hang-limit.ts'
import { jpegHeader, many, plainPng, svgOf } from '../support/pictures.ts'
import { decodePng } from '../support/png-decode.ts'
import { childrenOf } from '../support/process-memory.ts'
import { randomFrom } from '../support/random.ts'
import { runtimes, slowTest } from '../support/test-size.ts'
import { endlessPicture } from './support/endless-picture.ts'

const program = join(import.meta.dir, '../../src/raster/picture-process/picture-process.ts')
const drawers: PictureDrawer[] = []
const started: ChildProcess[] = []

/** A drawer whose processes are noted in `started`. */
function open(options: PictureDrawerOptions = {}): PictureDrawer {
  function start() {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] })
    started.push(child)
    return child
  }
  // A process that others leave no time to takes longer than a picture may.
  const drawer = createPictureDrawer({ start, wallMsMax: hangMsMax, ...options })
  drawers.push(drawer)
  return drawer
}

afterEach(() => {
  for (const drawer of drawers.splice(0)) drawer.close()
  started.length = 0
})

function url(type: string, bytes: Uint8Array): string {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** A slow machine comes to the bound of CPU time before the picture has grown to that of memory. */
const tooMuch = /takes too (?:much memory|long) to draw/

const half = svgOf('<path fill="#c00" d="M0 0h50v100H0z"/>')
const picture = { href: url('svg+xml', half), widthPx: 28, heightPx: 14, zoom: 2 }

test('a picture is drawn in its box, at the size that is asked for', async () => {
  const { widthPx, heightPx, rgba } = decodePng(await open().draw(picture, 'a'))
  expect([widthPx, heightPx]).toEqual([56, 28])
  // In the middle of a box twice as wide as the picture.
  function at(x: number) {
    return [...rgba.subarray((14 * 56 + x) * 4, (14 * 56 + x) * 4 + 4)]
  }
  const expected = [
    [0, 0, 0, 0],
    [204, 0, 0, 255],
    [0, 0, 0, 0],
  ]
  expect([at(2), at(20), at(36)]).toEqual(expected)
})

test('a picture of pixels is drawn, and one that cannot be decoded is refused, alone', async () => {
  const drawer = open()
  const drawn = decodePng(await drawer.draw({ ...picture, href: url('png', plainPng(300, 300)) }, 'a'))
  expect([...drawn.rgba.subarray((14 * 56 + 28) * 4, (14 * 56 + 28) * 4 + 4)]).toEqual([0, 0, 0, 255])
  const broken = { ...picture, href: url('jpeg', jpegHeader(20, 20)) }
  await expect(drawer.draw(broken, 'a')).rejects.toBeInstanceOf(PictureRefused)
  await drawer.draw(picture, 'a')
  expect(started).toHaveLength(1)
})

test('what takes too much is ended with its process, and the next picture is drawn', async () => {
  const drawer = open()
  await expect(drawer.draw(endlessPicture, 'a')).rejects.toThrow(tooMuch)
  await drawer.draw(picture, 'b')
  // On a busy machine the system may end the process before we do, and the picture is tried once more.
  const ended = started.slice(0, -1)
  expect([1, 2]).toContain(ended.length)
  for (const { signalCode, exitCode } of ended) expect(signalCode ?? exitCode).not.toBeNull()
})

slowTest(
  'what takes too much is refused with the reason by a process that waited long for the machine, too',
  async () => {
    const drawer = open()
    await drawer.draw(picture, 'a')
    const [process] = started
    const refused = expect(drawer.draw(endlessPicture, 'a')).rejects.toThrow(tooMuch)
    // Stops the process for longer than the wall-clock limit that it once had.
    process?.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, 1_600))
    process?.kill('SIGCONT')
    await refused
  },
)

slowTest(
  'what takes too much CPU time is no fault of the picture: it ends as busy, also when it comes again',
  async () => {
    const random = randomFrom(7)
    function point() {
      return `${random.below(1000)} ${random.below(1000)}`
    }
    // Skia looks for each pair of curves that cross.
    const curves = many(1_500, () => `M${point()}C${point()} ${point()} ${point()}z`)
    const base64 = svgOf(`<path fill-rule="evenodd" d="${curves}"/>`, 'viewBox="0 0 1000 1000"').toString(
      'base64',
    )
    const size = { widthPx: 1000, heightPx: 1000, sidePxMax: 500 }
    const logo = { kind: 'logo', type: 'svg+xml', base64, ...size, orientation: 1 } as const
    const drawer = open()
    for (const client of ['a', 'b']) {
      const error: unknown = await drawer.convert(logo, client).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(PictureTooLong)
      expect(problemOf(error)).toMatchObject({
        status: 503,
        code: 'busy',
        message: 'The picture takes too long to draw.',
        headers: { 'retry-after': '60' },
      })
    }
    expect(started).toHaveLength(1)
  },
)

function problemOf(error: unknown): unknown {
  try {
    return throwUndrawn(error)
  } catch (problem) {
    return problem
  }
}

test('a picture that was refused is refused again without being drawn', async () => {
  const drawer = open()
  const broken = { ...picture, href: url('jpeg', jpegHeader(20, 20)) }
  await drawer.draw(broken, 'a').catch(() => undefined)
  drawer.close()
  await expect(drawer.draw(broken, 'b')).rejects.toBeInstanceOf(PictureRefused)
  expect(started).toHaveLength(1)
})

slowTest('who brings many such pictures must wait; others need not', async () => {
  let nowMs = 0
  const drawer = open({ now: () => nowMs })
  function draw(index: number) {
    return drawer.draw({ ...endlessPicture, widthPx: 100 + index }, 'a')
  }
  const errors: unknown[] = []
  while (!(errors.at(-1) instanceof PictureLimited))
    errors.push(await draw(errors.length).catch((error) => error))
  // A busy machine may have had no time to find one of them too costly.
  const refused = errors.filter((error) => error instanceof PictureRefused || error instanceof PictureTooLong)
  expect(refused).toHaveLength(5)
  await drawer.draw(picture, 'b')
  nowMs += 60_001
  await drawer.draw({ ...picture, zoom: 1 }, 'a')
})

test('a process that died once gets its picture again', async () => {
  let count = 0
  function start() {
    return spawn(...((count++ === 0 ? ['true', []] : [process.execPath, [program]]) as [string, string[]]))
  }
  const drawer = open({ start })
  // The first one is gone before it is ready: that says nothing about the picture.
  await expect(drawer.draw(picture, 'a')).rejects.toBeInstanceOf(RasterBusy)
  await drawer.draw(picture, 'a')
})

test('a program that cannot be started refuses as busy', async () => {
  const drawer = open({ start: () => spawn('/nowhere/at-all', [], { stdio: ['pipe', 'pipe', 'ignore'] }) })
  await expect(drawer.draw(picture, 'a')).rejects.toBeInstanceOf(RasterBusy)
})

test('no process starts before the first picture; one that rests ends', async () => {
  const drawer = open({ idleMsMax: 20 })
  expect(started).toHaveLength(0)
  await drawer.draw(picture, 'a')
  await new Promise((resolve) => started[0]?.once('exit', resolve))
  await drawer.draw({ ...picture, zoom: 1 }, 'a')
  expect(started).toHaveLength(2)
})

test('closing ends the process', async () => {
  const drawer = open()
  await drawer.draw(picture, 'a')
  const ended = new Promise((resolve) => started[0]?.once('exit', resolve))
  drawer.close()
  await ended
})

const programs = { bun: [process.execPath], deno: [denoProgram, 'run', '-A', '--quiet'] } as const

for (const name of runtimes) {
  const [runtime, ...words] = programs[name]
  test(`on ${name} the process dies with its parent, even while native code is at work, and gets no settings`, async () => {
    const script = join(import.meta.dir, 'children/draws-without-end.ts')
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], MASTER_KEY: 'secret' }
    const parent = spawn(runtime, [...words, script], { stdio: 'ignore', env })
    const child = await drawingChildOf(parent.pid ?? 0)
    expect(readFileSync(`/proc/${child}/environ`, 'utf8')).not.toContain('MASTER_KEY')
    parent.kill('SIGKILL')
    await until(() => !existsSync(`/proc/${child}`))
  })
}

/** The one that has opened resvg, which is more than having been started. */
function drawingChildOf(pid: number): Promise<number> {
  return until(() => childrenOf(pid).find((child) => /resvg/.test(readMaps(child))))
}

function readMaps(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
  } catch {
    return ''
  }
}

async function until<Result>(look: () => Result): Promise<NonNullable<Result>> {
  for (;;) {
    const found = look()
    if (found) return found as NonNullable<Result>
    await Bun.sleep(10)
  }
}
