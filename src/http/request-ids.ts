import { randomBytes } from 'node:crypto'

/** Ids that are unique over processes and restarts: a random start and a count. */
export function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}
