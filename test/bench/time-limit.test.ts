import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureSection } from '../../bench/measure-section.ts'
import type { SectionResult } from '../../bench/report/section-result.ts'
import { verdictOf } from '../../bench/report/verdict.ts'
import { repeatIfShort } from '../../bench/support/repeat-if-short.ts'
import { type Row, roundsTold } from '../../bench/support/row.ts'
import { runSectionApart } from '../../bench/support/section-process.ts'
import { deadlineVariable, inRounds, repeatsVariable } from '../../bench/support/time-limit.ts'
import { planTime } from '../../bench/time-plan.ts'
import { eventually } from '../support/eventually.ts'
import { isQuick } from '../support/test-size.ts'

let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'time-limit-'))
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

function took(name: string, seconds: number): SectionResult {
  return { name, measuredOn: '2026-01-31', machine: 'a machine', seconds, rows: [] }
}

/** Starts a process that never ends beside one that never ends, and writes down its id and a temporary file. */
function endlessSection(): string {
  const script = join(directory, 'endless.ts')
  const note = JSON.stringify(join(directory, 'note'))
  writeFileSync(
    script,
    `import { mkdtempSync, writeFileSync } from 'node:fs'
     import { tmpdir } from 'node:os'
     const child = Bun.spawn([process.execPath, '-e', 'setInterval(() => {}, 1000)'])
     writeFileSync(${note}, JSON.stringify({ pid: child.pid, folder: mkdtempSync(tmpdir() + '/kept-') }))
     setInterval(() => {}, 1000)`,
  )
  return script
}

/** A process that was ended may wait for somebody to ask how. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !readFileSync(path, 'utf8').includes(') Z ')
}

describe('a section that does not end in its time is reported and leaves nothing behind', () => {
  test.skipIf(isQuick || process.platform !== 'linux')(
    'it is ended with what it has started and written, is not tried again, and is a miss',
    async () => {
      const silent = spyOn(console, 'error').mockImplementation(() => {})
      const script = endlessSection()
      let tries = 0
      const result = await measureSection(
        'endless',
        () => {
          tries += 1
          return runSectionApart('endless', { deadlineMs: Date.now() + 10_000, repeatMs: 0 }, script)
        },
        { probe: async () => 1 },
      )
      silent.mockRestore()
      expect(tries).toBe(1)
      const { exitCode, text } = verdictOf([result])
      expect({ exitCode, text }).toEqual({ exitCode: 1, text: 'Missed:\n  endless: endless' })
      expect(result.rows[0]?.peer).toBe('TimeLimitPassed: not done within 10 s')
      const { pid, folder } = JSON.parse(readFileSync(join(directory, 'note'), 'utf8'))
      // A killed process takes a moment to end when other processes want the processor.
      await eventually(() => !isRunning(pid))
      expect(existsSync(folder)).toBe(false)
    },
  )

  test.each([
    { name: 'the section ends first', variable: deadlineVariable, value: Date.now() - 1 },
    { name: 'others of its rows need it', variable: repeatsVariable, value: -1 },
  ])(
    'a row that fell short is not measured again where there is no time: $name',
    async ({ variable, value }) => {
      const short: Row = { what: 'a', ours: '', peer: '', ratio: '', target: '', passed: false }
      let taken = 0
      process.env[variable] = String(value)
      const rows = await repeatIfShort(async () => {
        taken += 1
        return [short]
      })
      delete process.env[variable]
      expect({ rows, taken }).toEqual({ rows: [short], taken: 1 })
    },
  )
})

describe('a slow machine has fewer rounds, one at least', () => {
  const none: Row = { what: 'a', ours: '', peer: 'b', ratio: '', target: '' }

  test.each([
    { secondsMax: 60, rounds: 3, peer: 'b' },
    { secondsMax: 0.3, rounds: 2, peer: 'b, rounds: 2' },
    { secondsMax: 0, rounds: 1, peer: 'b, rounds: 1' },
  ])('$rounds rounds of 0.12 s in $secondsMax s, and rows say so', async ({ secondsMax, rounds, peer }) => {
    const indexes: number[] = []
    let nowMs = Date.now()
    const clock = spyOn(Date, 'now').mockImplementation(() => nowMs)
    const done = await inRounds(3, secondsMax, async (index) => {
      indexes.push(index)
      nowMs += 120
    }).finally(() => clock.mockRestore())
    expect({ done, indexes }).toEqual({ done: rounds, indexes: [0, 1, 2].slice(0, rounds) })
    expect(roundsTold([none], done, 3)).toEqual([{ ...none, peer }])
  })

  test('no further round begins where the section ends before it', async () => {
    process.env[deadlineVariable] = String(Date.now() - 1)
    expect(await inRounds(3, 60, async () => {})).toBe(1)
    delete process.env[deadlineVariable]
  })
})

describe('the whole ends within half an hour', () => {
  const names = ['one', 'two', 'three']
  const plan = planTime(names, [took('one', 57), took('two', 117), took('three', 27)])

  test('what it will take is said by what sections took last, and of which nobody knows', () => {
    const { text } = planTime(names, [took('one', 60), took('two', 100)])
    expect(text).toBe('About 4 min, at most 30: one 63 s, two 103 s, three perhaps 43 s.')
  })

  test('a section may take its share of the time that is left, and repeat rows in what it does not need', () => {
    expect(plan.limits('one', 0)).toEqual({
      limitSeconds: 514.2857142857142,
      repeatSeconds: 454.2857142857142,
    })
    expect(plan.limits('two', 1_500)).toEqual({ limitSeconds: 240, repeatSeconds: 120 })
    expect(plan.limits('two', 1_500, 1.5)).toEqual({ limitSeconds: 270, repeatSeconds: 90 })
    expect(plan.limits('three', 1_500, 20)).toEqual({ limitSeconds: 300, repeatSeconds: 0 })
    expect(plan.limits('three', 1_900)).toEqual({ limitSeconds: 0, repeatSeconds: 0 })
  })

  test('sections that each take all that they may leave the same share to those after them', () => {
    const one = plan.limits('one', 0).limitSeconds
    const two = plan.limits('two', one).limitSeconds
    const three = plan.limits('three', one + two).limitSeconds
    expect(one + two + three).toBeCloseTo(1_800)
    expect(three / 30).toBeCloseTo(one / 60)
  })

  test('a slow machine has twice the time for a short section and more, while the others keep theirs', () => {
    const { limits } = planTime(names, [took('one', 7), took('two', 127), took('three', 127)])
    expect(limits('one', 1_500, 2).limitSeconds).toBe(40)
    expect(limits('one', 1_300, 2).limitSeconds).toBe(60)
  })

  test('what one section took last on a slow machine takes no time from others', () => {
    const { limits } = planTime(names, [took('one', 900), took('two', 127), took('three', 127)])
    expect(limits('one', 0).limitSeconds).toBeLessThan(610)
  })
})
