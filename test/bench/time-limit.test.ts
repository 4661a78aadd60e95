import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureSection } from '../../bench/measure-section.ts'
import type { SectionResult } from '../../bench/report/section-result.ts'
import { verdictOf } from '../../bench/report/verdict.ts'
import { repeatIfShort } from '../../bench/support/repeat-if-short.ts'
import type { Row } from '../../bench/support/row.ts'
import { runSectionApart } from '../../bench/support/section-process.ts'
import { deadlineVariable } from '../../bench/support/time-limit.ts'
import { planTime } from '../../bench/time-plan.ts'

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

/** Three seconds. */
describe('a section that does not end in its time is reported and leaves nothing behind', () => {
  test.skipIf(process.platform !== 'linux')(
    'it is ended with what it has started and written, is not tried again, and is a miss',
    async () => {
      const silent = spyOn(console, 'error').mockImplementation(() => {})
      const script = endlessSection()
      let tries = 0
      const result = await measureSection(
        'endless',
        () => {
          tries += 1
          return runSectionApart('endless', Date.now() + 3_000, script)
        },
        { probe: async () => 1 },
      )
      silent.mockRestore()
      expect(tries).toBe(1)
      const { exitCode, text } = verdictOf([result])
      expect({ exitCode, text }).toEqual({ exitCode: 1, text: 'Missed:\n  endless: endless' })
      expect(result.rows[0]?.peer).toBe('TimeLimitPassed: not done within 3 s')
      const { pid, folder } = JSON.parse(readFileSync(join(directory, 'note'), 'utf8'))
      // A killed process takes a moment to end when other processes want the processor.
      for (let tries = 0; isRunning(pid) && tries < 500; tries += 1) await Bun.sleep(20)
      expect(isRunning(pid)).toBe(false)
      expect(existsSync(folder)).toBe(false)
    },
  )

  test('a row that fell short is not measured again where there is no time for it', async () => {
    const short: Row = { what: 'a', ours: '', peer: '', ratio: '', target: '', passed: false }
    let taken = 0
    process.env[deadlineVariable] = String(Date.now() - 1)
    const rows = await repeatIfShort(async () => {
      taken += 1
      return [short]
    })
    delete process.env[deadlineVariable]
    expect({ rows, taken }).toEqual({ rows: [short], taken: 1 })
  })
})

describe('the whole ends within half an hour', () => {
  const names = ['one', 'two', 'three']

  test('what it will take is said by what sections took last, and of which nobody knows', () => {
    const { text } = planTime(names, [took('one', 60), took('two', 100)])
    expect(text).toBe('About 5 min, at most 30: one 65 s, two 105 s, three perhaps 125 s.')
  })

  test('a section may take twice its estimate and a minute where the others leave that', () => {
    const plan = planTime(names, [took('one', 60), took('two', 100), took('three', 20)])
    expect(plan.limitSeconds('one', 0)).toBe(190)
    expect(plan.limitSeconds('three', 1_740)).toBe(60)
    expect(plan.limitSeconds('three', 1_900)).toBe(0)
  })

  test('time that sections after it need is theirs, but what it took last it may take again', () => {
    const plan = planTime(names, [took('one', 595), took('two', 895), took('three', 395)])
    expect(plan.limitSeconds('one', 0)).toBe(600)
    expect(plan.limitSeconds('two', 600)).toBe(900)
    expect(plan.limitSeconds('three', 1_500)).toBe(300)
  })
})
