import { expect, test } from 'bun:test'
import { createFairQueue, QueueFull } from '../../src/lib/fair-queue.ts'

/** Things that each end when they are told to; `order` says which have begun. */
function createWork() {
  const order: string[] = []
  const ends = new Map<string, () => void>()
  function work(name: string) {
    return () => {
      order.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    }
  }
  async function end(name: string) {
    ends.get(name)?.()
    await Bun.sleep(0)
  }
  return { order, work, end }
}

test('one thing runs at a time, and clients take turns whatever they have waiting', async () => {
  const queue = createFairQueue({ waitingMax: 9, waitMsMax: 60_000 })
  const { order, work, end } = createWork()
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => queue.run(name.slice(0, 1), work(name)))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) {
    await Bun.sleep(0)
    expect(order.at(-1)).toBe(name)
    await end(name)
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
})

test('in a full queue who has the most waiting makes room for who has less', async () => {
  const queue = createFairQueue({ waitingMax: 3, waitMsMax: 60_000 })
  const { order, work, end } = createWork()
  const a = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', work(name)))
  const late = queue.run('a', work('a5'))
  await expect(late).rejects.toBeInstanceOf(QueueFull)
  const b = queue.run('b', work('b1'))
  await expect(a[3]).rejects.toBeInstanceOf(QueueFull)
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
  await Promise.allSettled([...a, b])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('what waited too long is refused, and what fails lets the next one run', async () => {
  const queue = createFairQueue({ waitingMax: 3, waitMsMax: 20 })
  const { work, end } = createWork()
  const first = queue.run('a', work('a1'))
  await expect(queue.run('b', work('b1'))).rejects.toBeInstanceOf(QueueFull)
  await end('a1')
  await first
  await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run('a', async () => 1)).toBe(1)
})
