import { expect, test } from 'bun:test'
import { loadedOnce } from '../../src/lib/memo.ts'

test('a part that many ask for at once is loaded once, and is used at once after that', async () => {
  let loads = 0
  const withPart = loadedOnce(async () => `part ${++loads}`)
  const first = await Promise.all([withPart((part) => part), withPart((part) => part)])
  expect(first).toEqual(['part 1', 'part 1'])
  expect(withPart((part) => part)).toBe('part 1')
})

test('all who wait hear that a part could not be loaded, and the next one tries again', async () => {
  let loads = 0
  const withPart = loadedOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('Too many open files.')
    return 'part'
  })
  const failed = await Promise.allSettled([withPart((part) => part), withPart((part) => part)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await withPart((part) => part)).toBe('part')
  expect(loads).toBe(2)
})

test('what the use of a part throws does not unload it', async () => {
  let loads = 0
  const withPart = loadedOnce(async () => ++loads)
  await expect(
    (async () =>
      await withPart(() => {
        throw new Error('It cannot be drawn.')
      }))(),
  ).rejects.toThrow('It cannot be drawn.')
  expect(withPart((part) => part)).toBe(1)
})
