import { expect, test } from 'bun:test'
import {
  FairLimiter,
  type FairLimiterOptions,
  type LimitedClient,
  LimiterFull,
  type Retarget,
} from '../../src/lib/fair-limiter.ts'
import { CallWaiter } from '../../src/lib/waiter.ts'

const options = { runningMax: 4, runningPerClientMax: 2, waitingMax: 20, waitingPerClientMax: 10 }

/** Work that lasts until it is ended; `order` says which has begun. */
function createWork() {
  const order: string[] = []
  const running: { readonly name: string; readonly end: () => void }[] = []
  function work(name: string) {
    return () => {
      order.push(name)
      return new Promise<string>((resolve) => running.push({ name, end: () => resolve(name) }))
    }
  }
  /** Ends the work of this name, or what began first. */
  async function end(name = running[0]?.name) {
    const index = running.findIndex((each) => each.name === name)
    if (index >= 0) running.splice(index, 1)[0]?.end()
    await Bun.sleep(0)
  }
  return { order, work, end }
}

test('a client with many pieces of work leaves room for others, who wait for none of them', async () => {
  const limiter = new FairLimiter(options)
  const { order, work, end } = createWork()
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map((name) =>
    limiter.run(name.charAt(0), work(name)),
  )
  await Bun.sleep(0)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1'])
  for (let each = 0; each < all.length; each += 1) await end()
  await Promise.all(all)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'a5'])
})

test('those that wait take turns, however many one of them brought first', async () => {
  const limiter = new FairLimiter({ ...options, runningMax: 1 })
  const { order, work, end } = createWork()
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => limiter.run(name.charAt(0), work(name)))
  for (let each = 0; each < all.length; each += 1) await end()
  await Promise.all(all)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('what waits is bounded, of each client and of all', async () => {
  const limiter = new FairLimiter({ ...options, waitingMax: 3, waitingPerClientMax: 2 })
  const { work, end } = createWork()
  function outcome(client: string) {
    return limiter.run(client, work(client)).then(
      () => 'ran',
      (error) => (error instanceof LimiterFull ? 'full' : 'failed'),
    )
  }
  const all = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'c'].map(outcome)
  for (let each = 0; each < all.length; each += 1) await end()
  expect(await Promise.all(all)).toEqual('ran ran ran ran full ran ran ran full full'.split(' '))
})

test('work that fails gives its place to the next', async () => {
  const limiter = new FairLimiter({ ...options, runningMax: 1 })
  function fail() {
    return Promise.reject(new Error('It fails.'))
  }
  const verdicts = await Promise.allSettled([
    limiter.run('a', fail),
    limiter.run('a', fail),
    limiter.run('b', async () => 7),
  ])
  expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('one client’s work runs in order, no more at once than is allowed, and survives failures', async () => {
  const limiter = new FairLimiter({ runningMax: 2 })
  let running = 0
  let runningMost = 0
  const order: number[] = []
  const work = Array.from({ length: 7 }, (_, index) =>
    limiter
      .run('', async () => {
        running += 1
        runningMost = Math.max(runningMost, running)
        order.push(index)
        await Bun.sleep(1)
        running -= 1
        if (index === 1) throw new Error('This one fails.')
      })
      .catch(() => undefined),
  )
  await Promise.all(work)
  expect([runningMost, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6]])
})

const oneAtATime = { runningMax: 1, dropsNewest: true }

test('one thing runs at a time, and clients take turns whatever they have waiting', async () => {
  const queue = new FairLimiter({ ...oneAtATime, waitingMax: 9 })
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
  const queue = new FairLimiter({ ...oneAtATime, waitingMax: 3 })
  const { order, work, end } = createWork()
  const a = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', work(name)))
  const late = queue.run('a', work('a5'))
  await expect(late).rejects.toBeInstanceOf(LimiterFull)
  const b = queue.run('b', work('b1'))
  await expect(a[3]).rejects.toBeInstanceOf(LimiterFull)
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
  await Promise.allSettled([...a, b])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('who waits leaves the queue when its waiter has to, and what fails lets the next one run', async () => {
  const queue = new FairLimiter({ ...oneAtATime, waitingMax: 1 })
  const { order, work, end } = createWork()
  const first = queue.run('a', work('a1'))
  const hangUp = new AbortController()
  const gone = queue.run({ name: 'b', waiter: new CallWaiter(() => hangUp.signal) }, work('b1'))
  await expect(queue.run('c', work('c1'))).rejects.toBeInstanceOf(LimiterFull)
  hangUp.abort()
  await expect(gone).rejects.toMatchObject({ isGone: true })
  const next = queue.run('c', work('c2'))
  await end('a1')
  await end('c2')
  await Promise.all([first, next])
  expect(order).toEqual(['a1', 'c2'])
  await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run('a', async () => 1)).toBe(1)
})

/** A limiter whose work ends when its slot is released; `granted` lists the clients that got a slot, in order. */
function setUpSlots(limits: Partial<FairLimiterOptions>) {
  const limiter = new FairLimiter({ runningMax: 64, dropsNewest: true, ...limits })
  const granted: string[] = []
  function acquire(clients: string | Iterable<LimitedClient>, host = String(clients), hostMax = 100) {
    const released = Promise.withResolvers<void>()
    const began = Promise.withResolvers<Retarget>()
    const work = {
      clients: typeof clients === 'string' ? [{ names: [clients] }] : clients,
      targets: [{ name: host, max: hostMax }],
    }
    const ended = limiter.run(work, async (retarget) => {
      granted.push(typeof clients === 'string' ? clients : 'shared')
      began.resolve(retarget)
      await released.promise
    })
    ended.catch(began.reject)
    began.promise.catch(() => {})
    return {
      began: began.promise,
      release(): Promise<void> {
        released.resolve()
        return ended
      },
    }
  }
  return { limiter, granted, acquire }
}

test('who runs the least comes first, also one who joins work that waits', async () => {
  const { acquire, granted } = setUpSlots({ runningMax: 4 })
  const slots = ['a', 'a', 'a', 'b'].map((name) => acquire(name))
  const clients = [{ names: ['a'] }]
  const waiting = [acquire('a'), acquire(clients, 'shared'), acquire('b'), acquire('c')]
  clients.push({ names: ['d'] })
  for (const slot of slots) await slot.release()
  expect(granted.join(' ')).toBe('a a a b shared c a b')
  for (const slot of waiting) await slot.release()
})

test('a client is bounded under each of its names', async () => {
  const { acquire, granted } = setUpSlots({ runningPerClientMax: 2 })
  const slots = ['x', 'y', 'z'].map((address) => acquire([{ names: [address, 'key'] }]))
  acquire('x')
  expect(granted).toEqual(['shared', 'shared', 'x'])
  await slots[0]?.release()
  await slots[2]?.began
  expect(granted).toHaveLength(4)
})

test('a target is bounded, whoever asks, and one that answers elsewhere counts there', async () => {
  const { acquire, granted } = setUpSlots({})
  const [first, second] = [acquire('a', 'host', 2), acquire('b', 'host', 2)]
  const third = acquire('c', 'host', 2)
  acquire('c', 'another', 2)
  expect(granted.join('')).toBe('abc')
  const retarget = await first.began
  retarget([{ name: 'elsewhere', max: 1 }])
  await third.began
  const fourth = acquire('e', 'elsewhere', 1)
  expect(granted.join('')).toBe('abcc')
  await second.release()
  expect(granted.join('')).toBe('abcc')
  await first.release()
  await fourth.began
  expect(granted.join('')).toBe('abcce')
})

test('a wait is bounded in time, and a refusal leaves nothing behind', async () => {
  const { acquire } = setUpSlots({ runningMax: 1, waitingPerClientMax: 2, waitMsMax: 20 })
  const slot = acquire('a')
  const waiting = [acquire('a'), acquire('a'), acquire('a')]
  for (const { began } of waiting) await expect(began).rejects.toBeInstanceOf(LimiterFull)
  await slot.release()
  await acquire('a').began
})
