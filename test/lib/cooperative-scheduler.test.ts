import { expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCpuBudget, inTurn } from '../../src/lib/cooperative-scheduler.ts'
import { stallMsMax, watchEventLoop } from '../support/event-loop-lag.ts'

function burn(ms: number) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < ms);
}

function* busySteps(count: number) {
  for (let step = 0; step < count; step += 1) {
    burn(1)
    yield
  }
  return count
}

/** Time that passes only where the test says so, as other processes delay the real one. */
interface Clock {
  nowMs: number
  /** Processor time of the thread. */
  cpuMs: number
  /** Passes with the processor busy. */
  work(ms: number): void
}

async function withClock(test: (clock: Clock) => unknown) {
  // The time slice of the turn before has begun by the real clock.
  await nextTurn()
  const clock: Clock = {
    nowMs: 0,
    cpuMs: 0,
    work(ms) {
      clock.nowMs += ms
      clock.cpuMs += ms
    },
  }
  const now = spyOn(performance, 'now').mockImplementation(() => clock.nowMs)
  const cpuTime = spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: clock.cpuMs * 1_000,
    system: 0,
  }))
  try {
    await test(clock)
  } finally {
    now.mockRestore()
    cpuTime.mockRestore()
  }
}

test('work of many at once lets the event loop go round after every few steps', async () => {
  const { value, turns, stallMs } = await watchEventLoop(() =>
    Promise.all(Array.from({ length: 20 }, () => createCpuBudget().run(busySteps(20)))),
  )
  expect(value).toEqual(Array.from({ length: 20 }, () => 20))
  // 400 steps of a millisecond in turns of three.
  expect(turns).toBeGreaterThan(50)
  expect(stallMs).toBeLessThan(stallMsMax)
})

test('work that has used its time up ends with what it has', () =>
  withClock(async (clock) => {
    const budget = createCpuBudget(20)
    function* steps() {
      let done = 0
      for (; !budget.isExhausted(); done += 1) {
        clock.work(1)
        yield
      }
      return done
    }
    expect(await budget.run(steps())).toBe(20)
    expect(budget.isExhausted()).toBeTrue()
  }))

test('time in which others have the processor is not counted', () =>
  withClock((clock) => {
    const budget = createCpuBudget(30)
    budget.measure(() => {
      clock.nowMs += 500
      clock.cpuMs += 20
    })
    expect(budget.isExhausted()).toBeFalse()
    budget.measure(() => {
      clock.nowMs += 10
      clock.cpuMs += 20
    })
    expect(budget.isExhausted()).toBeTrue()
  }))

test('work inside of measured work is counted once', () =>
  withClock((clock) => {
    const budget = createCpuBudget(1_000_000)
    const outer = createCpuBudget(30)
    const work = () => outer.measure(() => budget.measure(() => outer.measure(() => clock.work(20))))
    work()
    expect(outer.isExhausted()).toBeFalse()
    work()
    expect(outer.isExhausted()).toBeTrue()
  }))

test('what the work throws reaches its owner, and the others go on', async () => {
  function* failing() {
    yield
    throw new Error('broken')
  }
  const [first, second] = await Promise.allSettled([
    createCpuBudget().run(failing()),
    createCpuBudget().run(busySteps(10)),
  ])
  expect(first).toMatchObject({ status: 'rejected', reason: new Error('broken') })
  expect(second).toMatchObject({ status: 'fulfilled', value: 10 })
})

test('short work of many at once is done in several turns, in order, and work inside of it is counted once', () =>
  withClock(async (clock) => {
    const done: number[] = []
    function work(index: number) {
      clock.work(1)
      return inTurn(() => done.push(index))
    }
    const all = Array.from({ length: 10 }, (_, index) => inTurn(() => work(index)))
    expect(done).toEqual([0, 1, 2])
    await nextTurn()
    expect(done.length).toBeLessThan(10)
    await Promise.all(all)
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }))

test('the rest of a turn uses its time slice up too, also what goes on after a wait', () =>
  withClock(async (clock) => {
    const done: string[] = []
    function work(name: string) {
      return inTurn(() => done.push(name))
    }
    await inTurn(async () => {
      done.push('first')
      await undefined
      clock.work(3)
    })
    const second = work('second')
    expect(done).toEqual(['first'])
    await second
    expect(done).toEqual(['first', 'second'])
    clock.work(2)
    void work('third')
    clock.work(1)
    const fourth = work('fourth')
    expect(done).toEqual(['first', 'second', 'third'])
    await fourth
  }))

test('long work of many at once shares the time slice from the first step on', () =>
  withClock(async (clock) => {
    let done = 0
    function* step() {
      clock.work(1)
      done += 1
      yield
    }
    const all = Array.from({ length: 20 }, () => createCpuBudget().run(step()))
    await undefined
    expect(done).toBeLessThan(5)
    await Promise.all(all)
    expect(done).toBe(20)
  }))

test('short work does not wait for the end of long work, nor long work for that of short work', () =>
  withClock(async (clock) => {
    const done: string[] = []
    function* longSteps() {
      for (let step = 0; step < 20; step += 1) {
        clock.work(1)
        done.push('long')
        yield
      }
    }
    const long = Array.from({ length: 5 }, () => createCpuBudget().run(longSteps()))
    const short = Array.from({ length: 20 }, () =>
      inTurn(() => {
        clock.work(1)
        done.push('short')
      }),
    )
    await Promise.all([...long, ...short])
    expect(done.lastIndexOf('short')).toBeLessThan(done.lastIndexOf('long'))
    expect(done.indexOf('long')).toBeLessThan(done.lastIndexOf('short'))
    expect(done.slice(0, done.lastIndexOf('short')).filter((kind) => kind === 'long').length).toBeLessThan(50)
  }))
