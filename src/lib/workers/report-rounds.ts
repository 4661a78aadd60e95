/** Asks every worker what it counted and adds it up. */
export interface ReportRounds {
  /** From now on the worker is asked. */
  join(worker: ReportingWorker): void
  /** The worker has ended: what it reported last stays. */
  leave(worker: ReportingWorker): void
  /** Adds something to every total from now on. */
  add(report: unknown): void
  received(worker: ReportingWorker, round: number, report: unknown): void
  /** All reports together, of a round that began `maxAgeMs` ago at most. */
  total(maxAgeMs: number): Promise<unknown>
}

export interface ReportingWorker {
  ask(round: number): void
  /** Called after each round with how many went by since the worker said anything. */
  silentFor(rounds: number): void
}

export interface ReportRoundsDeps {
  readonly merge: (reports: readonly unknown[]) => unknown
  /** What stays of a report whose process has ended. */
  readonly ofEnded: (report: unknown) => unknown
  /** How long a round waits for its slowest worker; without its answer, what it said last counts. */
  readonly patienceMs?: number
}

interface Member {
  report?: unknown
  answeredRound: number
  silentRounds: number
}

/**
 * There is one round at a time and one sequence of totals for all workers. So no number that only grows is ever
 * seen to shrink, whichever worker is asked, and many questions at once cost one round.
 */
export function createReportRounds({ merge, ofEnded, patienceMs = 1000 }: ReportRoundsDeps): ReportRounds {
  const members = new Map<ReportingWorker, Member>()
  let ended: unknown[] = []
  let round = 0
  let running: Promise<unknown> | undefined
  let following: Promise<unknown> | undefined
  let latest: { readonly total: unknown; readonly beganAtMs: number } | undefined
  let finishEarly = () => {}

  async function run(): Promise<unknown> {
    const beganAtMs = performance.now()
    round += 1
    const answered = waitForAnswers()
    for (const worker of members.keys()) worker.ask(round)
    await answered
    try {
      const total = merge([...members.values()].flatMap(({ report }) => report ?? []).concat(ended))
      latest = { total, beganAtMs }
      return total
    } finally {
      running = undefined
      countSilence()
    }
  }

  function waitForAnswers(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      finishEarly = () => {
        if ([...members.values()].some(({ answeredRound }) => answeredRound < round)) return
        clearTimeout(timer)
        resolve()
      }
      if (members.size === 0) finishEarly()
    })
  }

  function countSilence(): void {
    for (const [worker, member] of members) {
      member.silentRounds = member.answeredRound < round ? member.silentRounds + 1 : 0
      worker.silentFor(member.silentRounds)
    }
  }

  async function startAfter(round: Promise<unknown> | undefined): Promise<unknown> {
    await round?.catch(() => {})
    following = undefined
    return begin()
  }

  function begin(): Promise<unknown> {
    running = run()
    return running
  }

  return {
    join: (worker) => void members.set(worker, { answeredRound: round, silentRounds: 0 }),
    leave(worker) {
      const report = members.get(worker)?.report
      members.delete(worker)
      if (report !== undefined) ended = [merge([...ended, ofEnded(report)])]
      finishEarly()
    },
    add: (report) => {
      ended = [merge([...ended, report])]
    },
    received(worker, answeredRound, report) {
      const member = members.get(worker)
      if (member === undefined || answeredRound < member.answeredRound) return
      member.report = report
      member.answeredRound = answeredRound
      // One that answers late has much to do: it is not stuck.
      member.silentRounds = 0
      finishEarly()
    },
    async total(maxAgeMs) {
      if (latest !== undefined && performance.now() - latest.beganAtMs <= maxAgeMs) return latest.total
      if (running === undefined && following === undefined) return begin()
      following ??= startAfter(running)
      return following
    },
  }
}
