import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { errorCode, reasonOf } from '../../lib/system-reason.ts'
import { refuseLinks, textIfReadable } from '../read-text.ts'
import type { Environment } from '../runtime.ts'

const ignoredFolders = new Set(['node_modules', '.git'])

/** Every HTML file of a folder but those below `out`, sorted, and the drafts that a killed run left. Throws if the folder cannot be read. */
export function findPages(folder: string, out: string) {
  const { files, unreadable } = findFiles(folder)
  const drafts = files.filter((file) => isDraft(basename(file)))
  const pages = files.filter(
    (file) =>
      /\.x?html?$/i.test(file) && !isDraft(basename(file)) && !join(folder, file).startsWith(out + sep),
  )
  return { pages: pages.sort(), drafts, unreadable }
}

/** Every file that a server may give out. Links are not followed: what is inside has a name of its own. Throws if the folder cannot be read. */
export function findFiles(folder: string) {
  const files: string[] = []
  const unreadable: { readonly file: string; readonly error: unknown }[] = []
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    try {
      for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
        const path = below + entry.name
        if (entry.isDirectory() && !ignoredFolders.has(entry.name)) waiting.push(`${path}/`)
        else if (entry.isFile()) files.push(path)
      }
    } catch (error) {
      if (below === '') throw error
      unreadable.push({ file: below, error })
    }
  }
  return { files, unreadable }
}

export function outFolder(folder: string, out: string): string {
  const candidates = [resolve(out), join(folder, out)]
  const path = candidates.find((candidate) => candidate.startsWith(folder + sep))
  if (path === undefined || relative(folder, path) === '')
    throw new Error(`--out must be a folder below ${folder}.`)
  refuseLinks(folder, path)
  return path
}

/** Keeps pictures and facts between runs: beside the nearest package.json above, as tools of builds do, else in the user's cache. */
export function cacheFolder(folder: string, env: Environment): string {
  for (let above = dirname(resolve(folder)); ; above = dirname(above)) {
    if (existsSync(join(above, 'package.json'))) return join(above, 'node_modules', '.cache', 'mintmark')
    if (above === dirname(above)) break
  }
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'mintmark')
}

const waitMs = 10_000
const pollMs = 50
/** A lock without a holder is that of a run that ended while it took it. */
const emptyMsMax = 60_000

/** Locks a folder for one run at a time; waits up to ten seconds. Takes over from a process of this machine that has ended. Returns what unlocks. */
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

let draftCount = 0

/** Writes a file whole or not at all, because a run may be killed and a disk may be full; `mode` are its permission bits. */
export async function writeWhole(path: string, bytes: Uint8Array | string, mode?: number): Promise<void> {
  draftCount += 1
  // Not named for the file: its name may be as long as a file system takes.
  const draft = join(dirname(path), `${draftStart}${process.pid}-${draftCount}`)
  try {
    const file = await open(draft, 'wx')
    await fill(file, bytes, mode)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`, { cause: error })
  }
}

export function isDraft(name: string): boolean {
  return name.startsWith(draftStart)
}

const draftStart = '.mintmark-draft-'

async function fill(file: FileHandle, bytes: Uint8Array | string, mode: number | undefined): Promise<void> {
  try {
    await file.writeFile(bytes)
    if (mode !== undefined) await file.chmod(mode)
    // Otherwise the new name may reach the disk before the content, and a power cut leaves an empty page.
    await file.datasync()
  } finally {
    await file.close()
  }
}
