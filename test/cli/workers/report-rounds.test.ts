import { expect, test } from 'bun:test'
import { createReportRounds } from '../../../src/cli/workers/report-rounds.ts'

/** Rounds of one worker that answers the question of so many rounds before, and the silent rounds that were counted. */
async function silence({ roundsLate, rounds: count }: { roundsLate: number; rounds: number }) {
  const rounds = createReportRounds({ merge: (reports) => reports.length, ofEnded: Number, answerMsMax: 5 })
  const counted: number[] = []
  const worker = {
    ask(round: number) {
      if (round > roundsLate) rounds.received(worker, round - roundsLate, 1)
    },
    silentFor: (silentRounds: number) => void counted.push(silentRounds),
  }
  rounds.join(worker)
  for (let round = 0; round < count; round++) await rounds.total(0)
  return counted
}

test('a worker that answers is never silent', async () => {
  expect(await silence({ roundsLate: 0, rounds: 6 })).toEqual([0, 0, 0, 0, 0, 0])
})

test('a worker that answers each question late is never taken for silent: it is busy', async () => {
  expect(await silence({ roundsLate: 1, rounds: 6 })).toEqual([1, 1, 1, 1, 1, 1])
  expect(await silence({ roundsLate: 2, rounds: 6 })).toEqual([1, 2, 1, 1, 1, 1])
})

test('the silence of a worker that does not answer grows with each round', async () => {
  expect(await silence({ roundsLate: 100, rounds: 6 })).toEqual([1, 2, 3, 4, 5, 6])
})
