import { describe, expect, spyOn, test } from 'bun:test'
import { measureSection } from '../../bench/measure-section.ts'
import { resultsPage } from '../../bench/report/results-page.ts'
import { isQuiet } from '../../bench/report/section-result.ts'
import { verdictOf } from '../../bench/report/verdict.ts'
import { againstBest } from '../../bench/support/quietness.ts'
import type { Row } from '../../bench/support/row.ts'

const met: Row = { what: 'met', ours: '1', peer: '2', ratio: '2×', target: '≥ 1×', passed: true }
const missed: Row = { ...met, what: 'missed', passed: false }
const informs: Row = { what: 'informs', ours: '1', peer: '', ratio: '', target: '' }

/** A machine that is slower than at its best by these, one look after another. */
function machineThatIs(...slower: readonly (number | undefined)[]) {
  let looks = 0
  return { probe: async () => slower[looks++] }
}

function section(row: Row, ...slower: readonly (number | undefined)[]) {
  return measureSection('section', async () => [row, informs], machineThatIs(...slower))
}

describe('a run ends with an error when a row missed its bound on a quiet machine, and only then', () => {
  test.each([
    { row: missed, slower: [1, 1.1], exitCode: 1, says: 'Missed:\n  section: missed' },
    { row: missed, slower: [1, 1.4], exitCode: 0, says: 'not known to be quiet' },
    { row: missed, slower: [1.4, 1], exitCode: 0, says: 'not known to be quiet' },
    { row: missed, slower: [undefined, undefined], exitCode: 0, says: 'not known to be quiet' },
    { row: met, slower: [1, 1], exitCode: 0, says: 'Every row met its bound.' },
    { row: informs, slower: [1, 1], exitCode: 0, says: 'Every row met its bound.' },
  ])('$row.what at $slower: $exitCode', async ({ row, slower, exitCode, says }) => {
    const verdict = verdictOf([await section(row, ...slower)])
    expect(verdict.exitCode).toBe(exitCode as 0 | 1)
    expect(verdict.text).toContain(says)
  })

  test('a section that cannot be measured is a miss on any machine, and leaves the others to be measured', async () => {
    const silent = spyOn(console, 'error').mockImplementation(() => {})
    let tries = 0
    async function fails(): Promise<readonly Row[]> {
      tries += 1
      throw new Error('no chain | here')
    }
    const result = await measureSection('payments', fails, machineThatIs(2, 2))
    silent.mockRestore()
    expect(tries).toBe(2)
    expect(verdictOf([result]).exitCode).toBe(1)
    expect(resultsPage([result], [])).toContain('| payments | failed | Error: no chain \\| here |')
  })
})

describe('the page of results says how quiet the machine was, at the worse of two looks', () => {
  test.each([
    { slower: [1.02, 1], says: 'quiet (1.02×)' },
    { slower: [1, 1.4], says: '**busy** (1.40×)' },
    { slower: [undefined, undefined], says: 'how quiet it was is not known' },
  ])('$says', async ({ slower, says }) => {
    expect(resultsPage([await section(met, ...slower)], [])).toContain(says)
  })

  test('and which machine it was, where sections were measured on several', async () => {
    const here = await section(met, 1, 1)
    const elsewhere = { ...here, name: 'other', machine: 'another machine' }
    expect(resultsPage([here], [])).not.toContain(`; ${here.machine}`)
    expect(resultsPage([here, elsewhere], [])).toContain('quiet (1.00×); 0 s; another machine')
  })

  test('a row that met its bound at a second try says so', async () => {
    const result = await section({ ...met, tries: 2 }, 1, 1)
    expect(isQuiet(result)).toBe(true)
    expect(resultsPage([result], [])).toContain('| yes, at try 2 |')
  })
})

describe('how slow a machine is goes by the best that it has ever shown', () => {
  test('in an earlier run', () => {
    expect(againstBest(140_000).slowerTimes(100_000)).toBe(1.4)
  })

  test('or in this one', () => {
    const { slowerTimes, best } = againstBest(0)
    expect([slowerTimes(100_000), slowerTimes(120_000), slowerTimes(60_000)]).toEqual([1, 1, 2])
    expect(best()).toBe(120_000)
  })
})
