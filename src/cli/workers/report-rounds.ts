export interface ReportingWorker {
  ask(round: number): void
  /** Called after each round with the number of rounds since the worker last answered any of them. */
  silentFor(rounds: number): void
}

export interface ReportRoundsDeps {
  readonly merge: (reports: readonly unknown[]) => unknown
  /** The part of a report that still counts when its process has ended. */
  readonly ofEnded: (report: unknown) => unknown
  /** How long a round waits for its slowest worker, whose last report counts if it does not answer in time. */
  readonly answerMsMax?: number
}

export type ReportRounds = ReturnType<typeof createReportRounds>

/**
 * Collects reports from all workers in rounds and adds them up. There is one round at a time and one sequence of totals
 * for all workers. So a counter never appears to shrink, whichever worker is asked, and many questions at once cost one
 * round.
 */
export function createReportRounds({ merge, ofEnded, answerMsMax = 1000 }: ReportRoundsDeps) {
  const members = createMembers()
  let ended: unknown[] = []
  let running: Promise<unknown> | undefined
  let following: Promise<unknown> | undefined
  let latest: { readonly total: unknown; readonly beganAtMs: number } | undefined

  async function run(): Promise<unknown> {
    const beganAtMs = performance.now()
    await members.askAll(answerMsMax)
    try {
      const total = merge([...members.reports(), ...ended])
      latest = { total, beganAtMs }
      return total
    } finally {
      running = undefined
      members.countSilence()
    }
  }

  function begin(): Promise<unknown> {
    running = run()
    return running
  }

  async function beginAfter(round: Promise<unknown> | undefined): Promise<unknown> {
    await round?.catch(() => {})
    following = undefined
    return begin()
  }

  return {
    /** Includes the worker from the next round on. */
    join: members.join,
    /** For a worker that has ended: its last report stays in the totals. */
    leave(worker: ReportingWorker): void {
      const report = members.leave(worker)
      if (report !== undefined) ended = [merge([...ended, ofEnded(report)])]
    },
    /** Adds a report to every later total. */
    add(report: unknown): void {
      ended = [merge([...ended, report])]
    },
    received: members.received,
    /** The sum of all reports, from a round that began at most `maxAgeMs` ago. */
    async total(maxAgeMs: number): Promise<unknown> {
      if (latest !== undefined && performance.now() - latest.beganAtMs <= maxAgeMs) return latest.total
      if (running === undefined && following === undefined) return begin()
      following ??= beginAfter(running)
      return following
    },
  }
}

interface Member {
  report?: unknown
  answeredRound: number
  silentRounds: number
}

/** The workers that are asked in each round, and their last answers. */
function createMembers() {
  const members = new Map<ReportingWorker, Member>()
  let round = 0
  let finishIfComplete = () => {}

  return {
    join: (worker: ReportingWorker) => void members.set(worker, { answeredRound: round, silentRounds: 0 }),
    /** Returns the worker's last report. */
    leave(worker: ReportingWorker): unknown {
      const report = members.get(worker)?.report
      members.delete(worker)
      finishIfComplete()
      return report
    },
    received(worker: ReportingWorker, answeredRound: number, report: unknown): void {
      const member = members.get(worker)
      if (member === undefined || answeredRound < member.answeredRound) return
      member.report = report
      member.answeredRound = answeredRound
      // A worker that answers late is busy, not stuck.
      member.silentRounds = 0
      finishIfComplete()
    },
    /** Begins a round; resolves when every worker has answered, at the latest after `answerMsMax`. */
    askAll(answerMsMax: number): Promise<void> {
      round += 1
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, answerMsMax)
        finishIfComplete = () => {
          if ([...members.values()].some(({ answeredRound }) => answeredRound < round)) return
          clearTimeout(timer)
          resolve()
        }
        for (const worker of members.keys()) worker.ask(round)
        finishIfComplete()
      })
    },
    reports: () => [...members.values()].flatMap(({ report }) => report ?? []),
    countSilence(): void {
      for (const [worker, member] of members) {
        member.silentRounds = member.answeredRound < round ? member.silentRounds + 1 : 0
        worker.silentFor(member.silentRounds)
      }
    },
  }
}
