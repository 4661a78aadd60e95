import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  createDrawingPool,
  type DrawingPool,
  type DrawingPoolOptions,
  spawnThread,
} from '../../src/assets/og/drawing-pool.ts'
import { encodePng } from '../../src/raster/encode-png.ts'
import { paintScene } from '../../src/raster/paint-scene.ts'
import { pictureFormats } from '../../src/raster/picture-formats.ts'
import { RasterBusy, RasterFailed } from '../../src/raster/thread-pool.ts'
import { denoProgram } from '../support/deno-program.ts'
import { decodePng } from '../support/png-decode.ts'
import { slowTest } from '../support/test-size.ts'
import { exampleCard } from './example-scenes.ts'

const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"><path d="M0 0h2v2H0z"/></svg>'
function faulty() {
  return new Worker(new URL('./faulty-worker.ts', import.meta.url))
}
const pools: DrawingPool[] = []

/** A pool of one thread, unless it says otherwise. */
function open(options?: DrawingPoolOptions): DrawingPool {
  const pool = createDrawingPool({ threads: 1, ...options })
  pools.push(pool)
  return pool
}

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close()
})

test('a worker draws the same bytes as the main thread would', async () => {
  const { scene } = exampleCard('paper-b')
  const { backgroundColorsMax } = pictureFormats.png
  const png = await open().scenePicture(scene, 1200, { format: 'png' })
  expect(Buffer.from(png).equals(encodePng(paintScene(scene, 1200, { backgroundColorsMax })))).toBe(true)
})

test('emoji come from the bundled pack', async () => {
  const { scene } = exampleCard('paper-b')
  const emoji = { kind: 'emoji', name: 'rocket', x: 400, y: 200, sidePx: 100 } as const
  const { rgba } = decodePng(
    await open().scenePicture({ ...scene, layers: [emoji] }, 1200, { format: 'png' }),
  )
  const blue = Array.from(
    { length: rgba.length / 4 },
    (_, i) => rgba[i * 4 + 2] === 238 && rgba[i * 4] === 85,
  )
  expect(blue.filter(Boolean).length).toBeGreaterThan(500)
})

describe('jobs that go wrong', () => {
  test('a worker that cannot be started is a failure of the machine: try again later', async () => {
    let starts = 0
    function spawn() {
      if (starts++ === 0) throw new Error('no thread')
      return spawnThread()
    }
    const pool = open({ spawn })
    await expect(pool.svgPng(dot)).rejects.toBeInstanceOf(RasterBusy)
    expect(decodePng(await pool.svgPng(dot)).widthPx).toBe(2)
  })

  test('a drawing that cannot be read fails alone', async () => {
    const pool = open()
    await expect(pool.svgPng('<nonsense')).rejects.toBeInstanceOf(RasterFailed)
    expect(decodePng(await pool.svgPng(dot)).widthPx).toBe(2)
  })

  test('a job that kills its worker fails cleanly, and the next one is drawn', async () => {
    const pool = open({ spawn: faulty })
    for (const how of ['throw', 'exit']) {
      await expect(pool.svgPng(how)).rejects.toBeInstanceOf(RasterFailed)
      expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
    }
  })

  test('a worker that died once gets its job again', async () => {
    let spawned = 0
    const pool = open({
      spawn: () => new Worker(new URL('./faulty-worker.ts', import.meta.url), { workerData: spawned++ }),
    })
    expect(await pool.svgPng('throw in the first worker')).toEqual(Uint8Array.of(1))
    expect(spawned).toBe(2)
  })

  slowTest(
    'a job that never ends is given up as one for a machine that is too busy, and the next one is drawn',
    async () => {
      const pool = open({ spawn: faulty, jobMsMax: 2_000 })
      await expect(pool.svgPng('hang')).rejects.toMatchObject({
        name: 'RasterBusy',
        message: 'not drawn within 2000 ms',
      })
      expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
    },
  )
})

test('the queue is bounded: what it cannot take is refused at once, what it took is drawn', async () => {
  const pool = open({ waitingMax: 3 })
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => pool.svgPng(dot)))
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(4).fill('fulfilled'),
    ...Array(4).fill('rejected'),
  ])
  for (const answer of answers.slice(4)) expect(answer).toMatchObject({ reason: expect.any(RasterBusy) })
})

describe('large drawings', () => {
  const { scene } = exampleCard('paper-b')

  /** Names of drawings, `L` a large one, in the order in which they are done. */
  async function orderOf(names: readonly string[]): Promise<readonly string[]> {
    const pool = open({ spawn: faulty })
    const done: string[] = []
    await Promise.all(
      names.map(async (name) => {
        if (name.startsWith('L')) await pool.scenePicture(scene, 2400, { format: 'png' })
        else await pool.svgPng('fine')
        done.push(name)
      }),
    )
    return done
  }

  test('let the small ones pass that came after them', async () => {
    const done = await orderOf(['L1', 'L2', 'L3', 's1', 's2', 'L4', 's3'])
    expect(done).toEqual(['L1', 's1', 's2', 's3', 'L2', 'L3', 'L4'])
  })

  test('begin only where no small one waits, one at a time', async () => {
    const small = Array.from({ length: 50 }, (_, index) => `s${index}`)
    expect(await orderOf(['s', 'L1', 'L2', ...small])).toEqual(['s', ...small, 'L1', 'L2'])
  })

  test('leave three times their time to the small ones that waited for them', async () => {
    const pool = open({
      spawn: () => new Worker(new URL('./faulty-worker.ts', import.meta.url), { workerData: 'slow scenes' }),
    })
    const done: string[] = []
    async function draw(name: string) {
      if (name.startsWith('L')) await pool.scenePicture(scene, 2400, { format: 'png' })
      else await pool.svgPng('fine')
      done.push(name)
    }
    const large = ['L1', 'L2'].map(draw)
    await draw('s1')
    // Nobody waits between two of them.
    for (const name of ['s2', 's3', 's4']) {
      await Bun.sleep(5)
      await draw(name)
    }
    await Promise.all(large)
    expect(done).toEqual(['L1', 's1', 's2', 's3', 's4', 'L2'])
  })

  test('wait for nobody where nobody waits', async () => {
    expect(await orderOf(['L1', 'L2', 'L3'])).toEqual(['L1', 'L2', 'L3'])
  })

  test('are refused where many wait already, which leaves room for small ones', async () => {
    const pool = open({ spawn: faulty, largeWaitingMax: 2 })
    const large = Array.from({ length: 5 }, () => pool.scenePicture(scene, 2400, { format: 'png' }))
    const small = pool.svgPng('fine')
    const answers = await Promise.allSettled(large)
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(3).fill('fulfilled'),
      ...Array(2).fill('rejected'),
    ])
    expect(answers.at(-1)).toMatchObject({ reason: expect.any(RasterBusy) })
    expect(await small).toEqual(Uint8Array.of(1))
  })
})

test('clients take turns, and one that fills the queue makes room for another', async () => {
  const pool = open({ spawn: faulty, waitingMax: 6 })
  const done: string[] = []
  async function draw(client: string) {
    await pool.svgPng('fine', client)
    done.push(client)
  }
  const much = Array.from({ length: 7 }, () => draw('much'))
  const answers = Promise.allSettled(much)
  await draw('little')
  expect(done).toEqual(['much', 'much', 'little'])
  const refused = (await answers).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: expect.any(RasterBusy) }])
})

test('no worker starts before the first job', async () => {
  let spawned = 0
  function spawn() {
    spawned++
    return faulty()
  }
  const pool = open({ spawn })
  expect(spawned).toBe(0)
  await pool.svgPng('fine')
  expect(spawned).toBe(1)
})

test('a worker that rests ends and gives its memory back; the next job has a new one', async () => {
  const { ended, spawn } = watched()
  const pool = open({ spawn, idleMsMax: 30 })
  expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
  await ended[0]
  expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
  expect(ended).toHaveLength(2)
})

/** A function that starts threads, and promises of their ends. */
function watched() {
  const ended: Promise<void>[] = []
  function spawn() {
    const worker = faulty()
    ended.push(new Promise((resolve) => worker.once('exit', () => resolve())))
    return worker
  }
  return { ended, spawn }
}

describe('a second thread', () => {
  test('takes the jobs that have waited for the first one', async () => {
    const { ended, spawn } = watched()
    const pool = open({ spawn, threads: 2 })
    const hung = pool.svgPng('hang')
    hung.catch(() => undefined)
    expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
    expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
    expect(ended).toHaveLength(2)
    pool.close()
    await expect(hung).rejects.toBeInstanceOf(RasterFailed)
  })

  test('is not started for jobs that come one after the other', async () => {
    const { ended, spawn } = watched()
    const pool = open({ spawn, threads: 2 })
    for (let n = 0; n < 20; n++) await pool.svgPng('fine')
    expect(ended).toHaveLength(1)
  })

  test('ends when it rests, and is started again', async () => {
    const { ended, spawn } = watched()
    const pool = open({ spawn, threads: 2, idleMsMax: 30, jobMsMax: 60_000 })
    pool.svgPng('hang').catch(() => undefined)
    expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
    await ended[1]
    expect(await pool.svgPng('fine')).toEqual(Uint8Array.of(1))
    expect(ended).toHaveLength(3)
  })

  test('that does not start leaves all jobs to the first one', async () => {
    let starts = 0
    function spawn() {
      if (starts++ > 0) throw new Error('no thread')
      return new Worker(new URL('./faulty-worker.ts', import.meta.url), { workerData: 'slow scenes' })
    }
    const pool = open({ spawn, threads: 2 })
    const { scene } = exampleCard('paper-b')
    const jobs = [0, 1, 2].map(() => pool.scenePicture(scene, 600, { format: 'png' }))
    expect(await Promise.all(jobs)).toEqual(jobs.map(() => Uint8Array.of(1)))
    expect(starts).toBeGreaterThan(1)
  })
})

test('closing refuses what waits and ends what is drawn', async () => {
  const pool = open({ spawn: faulty })
  const answers = Promise.allSettled([pool.svgPng('hang'), pool.svgPng('fine')])
  pool.close()
  const expected = [{ reason: expect.any(RasterFailed) }, { reason: expect.any(RasterBusy) }]
  expect(await answers).toMatchObject(expected)
  await expect(pool.svgPng('fine')).rejects.toBeInstanceOf(RasterBusy)
})

const script = join(import.meta.dir, 'children/prints-priorities.ts')

/** Only Linux has a priority for each thread. */
test.skipIf(process.platform !== 'linux').each([
  ['Bun', [process.execPath]],
  ['Deno', [denoProgram, 'run', '-A']],
])('what is drawn stands back behind answers that are ready, on %s', async (_, runtime) => {
  const { stdout, exited } = Bun.spawn([...runtime, script], { stdout: 'pipe', stderr: 'inherit' })
  const { main, ofThreads, ofPictures } = JSON.parse(await new Response(stdout).text())
  expect(await exited).toBe(0)
  const standsBack = Math.min(19, main + 3)
  expect(ofThreads.filter((each: number) => each === main).length).toBeGreaterThan(1)
  expect(ofThreads).toContain(standsBack)
  expect(ofPictures).toEqual([standsBack])
})
