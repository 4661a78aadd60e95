import { randomBytes } from 'node:crypto'

/** Returns a source of ids that are unique over processes and restarts: a random start and a counter. */
export function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${start}-${count.toString(36)}`
  }
}
