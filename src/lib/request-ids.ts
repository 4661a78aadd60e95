import { randomBytes } from 'node:crypto'

const digits = 36
/** Every pair of digits: to look one up takes less than to write a number. */
const pairs = Array.from({ length: digits ** 2 }, (_, n) => n.toString(digits).padStart(2, '0'))

/** Returns a source of ids that are unique over processes and restarts: a random start and a counter. */
export function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  let prefix = ''
  return () => {
    const low = count % pairs.length
    if (low === 0) prefix = `${start}-${Math.floor(count / pairs.length).toString(digits)}`
    count += 1
    return `${prefix}${pairs[low]}`
  }
}
