import { expect, spyOn, test } from 'bun:test'
import { createCpuBudget } from '../../src/lib/cooperative-scheduler.ts'
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
