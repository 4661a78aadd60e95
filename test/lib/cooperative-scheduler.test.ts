import { expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCpuBudget, inTurn } from '../../src/lib/cooperative-scheduler.ts'
import { stallMsMax, watchEventLoop } from '../support/event-loop-lag.ts'

function burn(ms: number) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < ms);
}

function* busySteps(count: number, isSpent = () => false) {
  let done = 0
  for (; done < count && !isSpent(); done += 1) {
    burn(1)
    yield
  }
  return done
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

test('work that has used its time up ends with what it has', async () => {
  const budget = createCpuBudget(20)
  const done = await budget.run(busySteps(10_000, budget.isExhausted))
  expect(done).toBeGreaterThan(0)
  expect(done).toBeLessThan(30)
  expect(budget.isExhausted()).toBeTrue()
})

test('time in which others have the processor is not counted', () => {
  let [nowMs, cpuMs] = [0, 0]
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const cpuTime = spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: cpuMs * 1_000,
    system: 0,
  }))
  const budget = createCpuBudget(30)
  budget.measure(() => {
    nowMs += 500
    cpuMs += 20
  })
  expect(budget.isExhausted()).toBeFalse()
  budget.measure(() => {
    nowMs += 10
    cpuMs += 20
  })
  expect(budget.isExhausted()).toBeTrue()
  clock.mockRestore()
  cpuTime.mockRestore()
})

test('work inside of measured work is counted once', () => {
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const cpuTime = spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: nowMs * 1_000,
    system: 0,
  }))
  const budget = createCpuBudget(1_000_000)
  const outer = createCpuBudget(30)
  const work = () => outer.measure(() => budget.measure(() => outer.measure(() => (nowMs += 20))))
  work()
  expect(outer.isExhausted()).toBeFalse()
  work()
  expect(outer.isExhausted()).toBeTrue()
  clock.mockRestore()
  cpuTime.mockRestore()
})

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

test('short work of many at once is done in several turns, in order, and work inside of it is counted once', async () => {
  await nextTurn()
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const done: number[] = []
  function work(index: number) {
    nowMs += 1
    return inTurn(() => done.push(index))
  }
  try {
    const all = Array.from({ length: 10 }, (_, index) => inTurn(() => work(index)))
    expect(done).toEqual([0, 1, 2])
    await nextTurn()
    expect(done.length).toBeLessThan(10)
    await Promise.all(all)
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  } finally {
    clock.mockRestore()
  }
})

test('the rest of a turn uses its time slice up too, also what goes on after a wait', async () => {
  await nextTurn()
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const done: string[] = []
  function work(name: string) {
    return inTurn(() => done.push(name))
  }
  try {
    await inTurn(async () => {
      done.push('first')
      await undefined
      nowMs += 3
    })
    const second = work('second')
    expect(done).toEqual(['first'])
    await second
    expect(done).toEqual(['first', 'second'])
    nowMs += 2
    void work('third')
    nowMs += 1
    const fourth = work('fourth')
    expect(done).toEqual(['first', 'second', 'third'])
    await fourth
  } finally {
    clock.mockRestore()
  }
})

test('long work of many at once shares the time slice from the first step on', async () => {
  await nextTurn()
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  let done = 0
  function* step() {
    nowMs += 1
    done += 1
    yield
  }
  try {
    const all = Array.from({ length: 20 }, () => createCpuBudget().run(step()))
    await undefined
    expect(done).toBeLessThan(5)
    await Promise.all(all)
    expect(done).toBe(20)
  } finally {
    clock.mockRestore()
  }
})

test('short work does not wait for the end of long work, nor long work for that of short work', async () => {
  await nextTurn()
  let nowMs = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const done: string[] = []
  function* longSteps() {
    for (let step = 0; step < 20; step += 1) {
      nowMs += 1
      done.push('long')
      yield
    }
  }
  try {
    const long = Array.from({ length: 5 }, () => createCpuBudget().run(longSteps()))
    const short = Array.from({ length: 20 }, () =>
      inTurn(() => {
        nowMs += 1
        done.push('short')
      }),
    )
    await Promise.all([...long, ...short])
    expect(done.lastIndexOf('short')).toBeLessThan(done.lastIndexOf('long'))
    expect(done.indexOf('long')).toBeLessThan(done.lastIndexOf('short'))
    expect(done.slice(0, done.lastIndexOf('short')).filter((kind) => kind === 'long').length).toBeLessThan(50)
  } finally {
    clock.mockRestore()
  }
})
