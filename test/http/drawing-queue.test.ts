import { expect, test } from 'bun:test'
import { Problem } from '../../src/errors.ts'
import { createDrawingQueue, createFreeDrawings } from '../../src/http/cached-renderer.ts'

/** Drawings that the test ends, in the order in which they begin. */
function studio({ lateKeys }: { readonly lateKeys: readonly string[] }) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const take = async (keyId: string) => !lateKeys.includes(keyId)
  const queue = createDrawingQueue({ take }, Number.POSITIVE_INFINITY)
  function drawing(name: string) {
    return () =>
      queue.draw(() => {
        begun.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      })
  }
  return {
    begun,
    ordinary: (name: string) => drawing(name)(),
    drawFor: (keyId: string, name: string, client = 'reader') =>
      queue.drawFor({ keyId, dailyQuota: 1, client }, name, drawing(name)),
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

/** Lets everything happen that waits for nothing but promises. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

async function outcomeOf(drawing: Promise<unknown>): Promise<unknown> {
  return drawing.catch((error) => error)
}

test('a late drawing begins when all others are done, those that came after it as well', async () => {
  const { begun, ordinary, drawFor, end } = studio({ lateKeys: ['late'] })
  ordinary('first')
  const late = drawFor('late', 'walked')
  await settled()
  void drawFor('other', 'second')
  await settled()
  await end('first')
  expect(begun).toEqual(['first', 'second'])
  await end('second')
  expect(begun).toEqual(['first', 'second', 'walked'])
  ordinary('third')
  expect(begun).toEqual(['first', 'second', 'walked', 'third'])
  await end('walked')
  expect(await late).toBe('walked')
})

test('late drawings are made one at a time, and keys take turns', async () => {
  const { begun, drawFor, end } = studio({ lateKeys: ['greedy', 'modest'] })
  for (const name of ['g1', 'g2', 'g3']) void drawFor('greedy', name)
  await settled()
  void drawFor('modest', 'm1')
  await settled()
  for (const name of ['g1', 'm1', 'g2']) await end(name)
  expect(begun).toEqual(['g1', 'm1', 'g2', 'g3'])
})

test('the eleventh drawing of a key that would wait is refused as busy, and no other key’s', async () => {
  const { drawFor, end } = studio({ lateKeys: ['late', 'other'] })
  const drawings = Array.from({ length: 11 }, (_, index) => drawFor('late', `picture ${index}`))
  await settled()
  const refused = await outcomeOf(drawFor('late', 'one more'))
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ code: 'busy', status: 503, headers: { 'retry-after': '5' } })
  const shared = drawFor('late', 'picture 7')
  const other = drawFor('other', 'of another key')
  await settled()
  for (let index = 0; index < drawings.length; index += 1) {
    await end(`picture ${index}`)
    await end('of another key')
  }
  expect(await Promise.all(drawings)).toEqual(drawings.map((_, index) => `picture ${index}`))
  expect(await Promise.all([shared, other])).toEqual(['picture 7', 'of another key'])
})

test('a client that fills the places of a key does not keep others of the key out', async () => {
  const { drawFor, end } = studio({ lateKeys: ['late'] })
  const walked = Array.from({ length: 11 }, (_, index) => drawFor('late', `walked ${index}`, 'stranger'))
  await settled()
  const dropped = outcomeOf(walked[10] ?? Promise.reject(new Error('there are eleven')))
  const seen = drawFor('late', 'seen', 'crawler')
  expect(await dropped).toMatchObject({ code: 'busy' })
  for (const name of ['walked 0', 'walked 1', 'seen']) await end(name)
  expect(await seen).toBe('seen')
})

test('a drawing that fails leaves its place to the next', async () => {
  const { drawFor, end } = studio({ lateKeys: ['late'] })
  const queue = createDrawingQueue({ take: async () => false })
  const failed = queue.drawFor({ keyId: 'late', dailyQuota: 1, client: '' }, 'bad', () =>
    queue.draw(() => Promise.reject(new Error('not drawable'))),
  )
  expect(await outcomeOf(failed)).toMatchObject({ message: 'not drawable' })
  expect(await queue.drawFor({ keyId: 'late', dailyQuota: 1, client: '' }, 'good', () => 'good')).toBe('good')
  const next = drawFor('late', 'next')
  await settled()
  await end('next')
  expect(await next).toBe('next')
})

test('where others never pause, a late drawing is made all the same', async () => {
  const queue = createDrawingQueue({ take: async () => false }, 0)
  void queue.draw(() => new Promise(() => {}))
  expect(await queue.drawFor({ keyId: 'late', dailyQuota: 1, client: '' }, 'late', () => 'late')).toBe('late')
})

function granted(drawings: ReturnType<typeof createFreeDrawings>, client: string, calls: number): number {
  return Array.from({ length: calls }, () => drawings.acquire(client)).filter(Boolean).length
}

test('a client has sixty free drawings a minute, and all together have six hundred', () => {
  let nowMs = 0
  const drawings = createFreeDrawings({ now: () => nowMs })
  expect(granted(drawings, '192.0.2.1', 70)).toBe(60)
  nowMs = 59_999
  expect(granted(drawings, '192.0.2.1', 1)).toBe(0)
  const others = Array.from({ length: 20 }, (_, n) => granted(drawings, `198.51.100.${n}`, 40))
  expect(others.reduce((sum, each) => sum + each)).toBe(540)
  nowMs = 60_000
  expect(granted(drawings, '192.0.2.1', 70)).toBe(60)
})

test('each of four processes has a quarter of both', () => {
  const drawings = createFreeDrawings({ now: () => 0 }, 4)
  expect(granted(drawings, '192.0.2.1', 70)).toBe(15)
  const others = Array.from({ length: 20 }, (_, n) => granted(drawings, `198.51.100.${n}`, 40))
  expect(others.reduce((sum, each) => sum + each)).toBe(135)
})

test('networks of IPv6 have a share of their own', () => {
  const drawings = createFreeDrawings({ now: () => 0 })
  expect(granted(drawings, '2001:db8:0:1::1', 40)).toBe(40)
  expect(granted(drawings, '2001:db8:0:1::2', 40)).toBe(20)
  const nets = Array.from({ length: 8 }, (_, n) => granted(drawings, `2001:db8:0:${n + 2}::1`, 60))
  expect(nets.reduce((sum, each) => sum + each)).toBe(180)
})
