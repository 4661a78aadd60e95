import { rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { errorCode } from '../../lib/system-reason.ts'
import { textIfReadable } from '../read-text.ts'

const waitMs = 10_000
const pollMs = 50
/** A lock without a holder is that of a run that ended while it took it. */
const emptyMsMax = 60_000

/**
 * Takes the lock of a folder, so that one run at a time writes there. Waits for another run up to ten seconds. The lock of a
 * process of this machine that has ended is taken over. Returns what gives it back.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = join(folder, '.mintmark.lock')
  const endMs = performance.now() + waitMs
  while (!take(path)) {
    if (performance.now() > endMs) {
      const { pid, host } = holderOf(path)
      const holder = pid === undefined ? 'unknown process' : `process ${pid} on ${host}`
      throw new Error(`${folder}: another run is at work here (${holder}); ${path} is its lock.`)
    }
    await sleep(pollMs)
  }
  return () => rmSync(path, { force: true })
}

function take(path: string): boolean {
  if (isStale(path)) takeAway(path)
  return make(path)
}

/** Returns whether there was no such file. */
function make(path: string): boolean {
  const text = JSON.stringify({ pid: process.pid, started: startOf(process.pid), host: hostname() })
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // The disk is full: the file is there, and empty.
    if (errorCode(error) === 'ENOSPC') rmSync(path, { force: true })
    throw error
  }
}

/** Removes a stale lock. Only one run may do so at a time: the second would remove the new lock of the first. */
function takeAway(path: string): void {
  const turn = `${path}-turn`
  if (isStale(turn)) rmSync(turn, { force: true })
  if (!make(turn)) return
  if (isStale(path)) rmSync(path, { force: true })
  rmSync(turn, { force: true })
}

function isStale(path: string): boolean {
  const { pid, host, started } = holderOf(path)
  if (typeof host !== 'string')
    return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > emptyMsMax
  return host === hostname() && (typeof pid !== 'number' || !isAlive(pid) || startOf(pid) !== started)
}

function holderOf(path: string): Readonly<Record<string, unknown>> {
  const holder = parseJson(textIfReadable(path))
  return isJsonObject(holder) ? holder : {}
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** The start of a process, as Linux says it, because numbers of processes come again; empty elsewhere. */
function startOf(pid: number): string {
  const stat = textIfReadable(`/proc/${pid}/stat`).replace(/^.*\) /s, '')
  return stat.split(' ')[19] ?? ''
}
