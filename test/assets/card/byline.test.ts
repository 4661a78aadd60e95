import { expect, spyOn, test } from 'bun:test'
import { bylineOf } from '../../../src/assets/card/byline.ts'

test('keeps few formatters of dates, however many languages pages name', async () => {
  const made: WeakRef<Intl.DateTimeFormat>[] = []
  const usual = Intl.DateTimeFormat
  const spy = spyOn(Intl, 'DateTimeFormat').mockImplementation(((...args: []) => {
    const formatter = new usual(...args)
    made.push(new WeakRef(formatter))
    return formatter
  }) as never)
  Object.assign(Intl.DateTimeFormat, { supportedLocalesOf: usual.supportedLocalesOf })
  try {
    const facts = { authors: ['Ada'], published: '2026-05-03', words: {} }
    for (let index = 0; index < 500; index += 1)
      expect(bylineOf(facts, undefined, `de-x-a${index}`)).toBe('Ada · 3. Mai 2026')
  } finally {
    spy.mockRestore()
  }
  expect(made).toHaveLength(500)
  await Bun.sleep(1)
  Bun.gc(true)
  expect(made.filter((one) => one.deref() !== undefined).length).toBeLessThan(150)
})
