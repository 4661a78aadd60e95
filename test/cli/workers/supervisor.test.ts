import { afterEach, describe, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runtimes } from '../../store/runtimes.ts'
import { eventually } from '../../support/eventually.ts'

type Line = Readonly<Record<string, unknown>>

let child: ChildProcess | undefined
afterEach(() => {
  try {
    // With every worker: one that is stuck does not see that its supervisor has gone.
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
})

/** Starts a supervisor of two workers that act so. */
function supervise(runtime: 'bun' | 'deno', acts: string) {
  const [program = '', ...words] = runtimes[runtime]
  // A folder of its own, because process ids come again.
  const traces = mkdtempSync(join(tmpdir(), 'supervised-'))
  const started = spawn(program, [...words, join(import.meta.dir, 'children/supervised.ts')], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], WORKER_ACTS: acts, WORKER_TRACES: traces },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  child = started
  const lines: Line[] = []
  started.stdout.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
  })
  const exited = new Promise<number | null>((resolve) => started.on('exit', resolve))
  void exited.then(() => rmSync(traces, { recursive: true }))
  return {
    process: started,
    exited,
    lines,
    until: (isSo: (lines: readonly Line[]) => boolean) => eventually(() => isSo(lines)),
  }
}

function of(message: string) {
  return (line: Line) => line['message'] === message
}
function restarts(lines: readonly Line[]) {
  return lines.filter(of('worker ended and is started again'))
}
function totals(lines: readonly Line[]) {
  return lines.filter(of('total')).map((line) => Number(line['total']))
}

describe.each(['bun', 'deno'] as const)('the supervisor on %s', (runtime) => {
  test('starts workers again that die, at first at once, then more slowly each time, and keeps what they had counted', async () => {
    const { until, lines, process: supervisor, exited } = supervise(runtime, 'crash')
    await until(() => restarts(lines).filter((line) => line['worker'] === 1).length >= 6)
    const pauses = restarts(lines)
      .filter((line) => line['worker'] === 1)
      .map((line) => line['restartMs'])
    expect(pauses.slice(0, 6)).toEqual([0, 0, 20, 40, 80, 80])
    // Ten of each process that there ever was, and a thousand of each restart.
    expect(totals(lines).every((total) => total % 10 === 0)).toBe(true)
    expect(totals(lines).at(-1)).toBeGreaterThan(3000)
    expect(totals(lines)).toEqual(totals(lines).toSorted((one, other) => one - other))
    supervisor.kill('SIGTERM')
    expect([0, 3]).toContain((await exited) ?? -1)
  })

  test('kills a worker that is stuck, and starts another', async () => {
    const { until, lines } = supervise(runtime, 'stick')
    await until(() => restarts(lines).length >= 2)
    expect(lines.filter(of('worker is stuck and is killed')).length).toBeGreaterThanOrEqual(2)
    expect(restarts(lines)[0]).toMatchObject({ signal: 'SIGKILL' })
  })

  test('takes a worker that answers each question late for busy, never for stuck', async () => {
    const { until, lines } = supervise(runtime, 'lag')
    // More late answers of each than it may owe in a row.
    await until(() => totals(lines).length >= 60)
    expect(lines.filter(of('worker is stuck and is killed'))).toEqual([])
  })

  test('passes on to the others that a worker has changed something', async () => {
    const { until, lines } = supervise(runtime, 'tell')
    await until(() => lines.filter(of('heard')).length >= 3)
    expect(lines.filter(of('heard')).map((line) => line['worker'])).not.toContain('1')
  })

  test('kills a worker that hangs while it starts again', async () => {
    const { until, lines } = supervise(runtime, 'hang')
    await until(() => lines.some(of('worker is stuck and is killed')))
  })

  test('ends with the exit code of workers that do not even start', async () => {
    const { lines, exited } = supervise(runtime, 'refuse')
    expect(await exited).toBe(4)
    expect(restarts(lines)).toEqual([])
  })

  test('starts workers again that were killed before they had said that they serve', async () => {
    const { until, lines } = supervise(runtime, 'fall')
    await until(() => totals(lines).length >= 2)
    expect(restarts(lines)).toHaveLength(2)
    expect(restarts(lines)[0]).toMatchObject({ signal: 'SIGKILL' })
  })

  test('kills workers that do not end in time', async () => {
    const { until, lines, process: supervisor, exited } = supervise(runtime, 'resist')
    await until(() => totals(lines).includes(20))
    supervisor.kill('SIGTERM')
    expect(await exited).toBe(1)
    expect(lines.some(of('workers did not end in time and are killed'))).toBe(true)
  })
})
