import { expect } from 'bun:test'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { atEnd } from '../../support/at-end.ts'
import { runtimeCommands } from '../../support/server.ts'

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
}

interface ProcessOptions extends RunOptions {
  readonly cwd?: string
  readonly input?: string
  readonly runtime?: 'bun' | 'deno'
}

export interface CommandRequest {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command to its end, as a user types it, in a process that has run the commands before it: a start takes longer
 * than nearly every command. Its environment is `env` and nothing else of ours.
 */
export function mintmark(words: readonly string[], { env = {} }: RunOptions = {}) {
  const result = last.then(() => runIn(commandProcess(), { words, env: environment(env) }))
  last = result.catch(() => {})
  return result
}

/** Runs a command that is refused and prints nothing. Returns what it says. */
export async function refusal(...given: Parameters<typeof mintmark>): Promise<string> {
  const { exitCode, output, errors } = await mintmark(...given)
  expect([exitCode, output]).toEqual([1, ''])
  return errors
}

/** Runs a command that ends well and complains of nothing. */
export async function done(...given: Parameters<typeof mintmark>) {
  const result = await mintmark(...given)
  expect([result.exitCode, result.errors]).toEqual([0, ''])
  return result
}

/** Runs the program with these words in a process of its own until that has ended. */
export async function mintmarkProcess(words: readonly string[], options: ProcessOptions = {}) {
  const child = startMintmark(words, options)
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return resultOf(exitCode, output, errors)
}

export function startMintmark(
  words: readonly string[],
  { env = {}, cwd = '/', input = '', runtime = 'bun' }: ProcessOptions = {},
) {
  return Bun.spawn([...runtimeCommands[runtime], ...words], {
    cwd,
    env: environment(env),
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

function environment(env: Readonly<Record<string, string>>) {
  return { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...env }
}

function resultOf(exitCode: number, output: string, errors: string) {
  return { exitCode, output, errors, lines: output.trimEnd().split('\n') }
}

interface CommandProcess {
  readonly child: Subprocess
  /** Files, which have everything as soon as it is written. */
  readonly files: readonly [output: string, errors: string]
  answered: (exitCode: number) => void
}

let running: CommandProcess | undefined

function commandProcess(): CommandProcess {
  if (running !== undefined && running.child.exitCode === null) return running
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-commands-'))
  const files = [join(folder, 'output'), join(folder, 'errors')] as const
  const output = openSync(files[0], 'a')
  const errors = openSync(files[1], 'a')
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'children/commands.ts')], {
    cwd: '/',
    env: environment({}),
    stdin: 'ignore',
    stdout: output,
    stderr: errors,
    ipc: (exitCode: number) => started.answered(exitCode),
  })
  closeSync(output)
  closeSync(errors)
  const started: CommandProcess = { child, files, answered: () => {} }
  running = started
  atEnd.push(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
    running = undefined
  })
  return started
}

async function runIn(commands: CommandProcess, request: CommandRequest) {
  const { child, files } = commands
  const before = files.map((file) => readFileSync(file).length)
  const answer = new Promise<number>((resolve) => {
    commands.answered = resolve
  })
  child.send(request)
  const exitCode = await Promise.race([answer, child.exited])
  const [output = '', errors = ''] = files.map((file, at) => readFileSync(file).toString('utf8', before[at]))
  return resultOf(exitCode, output, errors)
}
