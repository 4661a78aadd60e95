import { expect, test } from 'bun:test'
import { run } from '../store/runtimes.ts'
import { runtimes } from '../support/test-size.ts'

for (const runtime of runtimes) {
  async function messages(what: string) {
    return (await run(runtime, 'test/cli/children/unhandled.ts', what))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message)
  }

  test(`a rejection that nobody waits for is logged and the process goes on, on ${runtime}`, async () => {
    expect(await messages('rejection')).toEqual(['unhandled rejection', 'still here', 'counted 1'])
  })

  test(`an exception that nothing caught is logged, and the process is asked to end, on ${runtime}`, async () => {
    expect(await messages('exception')).toEqual(['uncaught exception', 'asked to end', 'counted 1'])
  })

  test(`what a package prints goes to the log, on ${runtime}`, async () => {
    expect(await messages('print')).toEqual(['printed', 'printed', 'counted 0'])
  })
}
