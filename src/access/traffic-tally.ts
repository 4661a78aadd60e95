import type { TrafficKind } from '../store/usage.ts'

export interface TallyRow extends TrafficKind {
  /** The day or the hour. */
  readonly at: number
  count: number
}

/** Counts in memory, by day or by hour and by kind of request. */
export function createTrafficTally() {
  // Replaced when it is emptied: what a cleared map held would stay until a full garbage collection.
  let rows = new Map<string, TallyRow>()
  /** The row that was added to last: calls that come together are mostly of one kind. */
  let last: TallyRow | undefined

  return {
    add(at: number, endpoint: string, auth: string, status: string, count: number): void {
      if (
        last !== undefined &&
        last.at === at &&
        last.endpoint === endpoint &&
        last.auth === auth &&
        last.status === status
      ) {
        last.count += count
        return
      }
      const name = `${at} ${endpoint} ${auth} ${status}`
      const row = rows.get(name) ?? { at, endpoint, auth, status, count: 0 }
      row.count += count
      rows.set(name, row)
      last = row
    },
    /** Empties the tally. Servers that store at once must take rows of a table in one order, so these are ordered. */
    take(): readonly TallyRow[] {
      const taken = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
      rows = new Map()
      last = undefined
      return taken.filter(({ count }) => count !== 0)
    },
  }
}
