/**
 * Opens new files one after the other, each at a moment on which several processes have agreed, and says of each
 * whether it is ready.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../../src/store/open.ts'

const [prefix = '', files = '', firstAtMs = ''] = process.argv.slice(2)
const stepMs = 60
const answers: unknown[] = []
for (let file = 0; file < Number(files); file += 1) {
  const atMs = Number(firstAtMs) + file * stepMs
  await sleep(Math.max(0, atMs - Date.now() - 3))
  // A timer is not exact to the millisecond.
  while (Date.now() < atMs);
  answers.push(await open(`${prefix}-${file}.db`))
}
console.log(JSON.stringify(answers))

async function open(path: string): Promise<unknown> {
  try {
    const store = openStore({ path })
    await store.transaction(() => store.usage.set(1, `process:${process.pid}`, 1))
    const answer = store.check()
    await store.close()
    return answer
  } catch (error) {
    return String(error)
  }
}
