import { writeSync } from 'node:fs'
import { handleUncaughtErrors } from '../../../src/cli/end-signals.ts'
import { createLog } from '../../../src/lib/log.ts'

/** Does one thing that nothing catches and logs what becomes of it. Word: rejection, exception or print. */
const log = createLog({ level: 'info', write: (lines) => void writeSync(1, lines), now: Date.now })
const count = handleUncaughtErrors(log, () => finish('asked to end'))

function finish(message?: string): void {
  if (message !== undefined) log.info(message)
  log.info(`counted ${count()}`)
  log.flush()
  process.exit(0)
}

switch (process.argv[2]) {
  case 'rejection':
    void Promise.reject(new Error('on purpose'))
    setTimeout(() => finish('still here'), 50)
    break
  case 'exception':
    setTimeout(() => {
      throw new Error('on purpose')
    })
    break
  default:
    console.log('a line %d', 1)
    console.error('an error')
    finish()
}
