import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import process from 'node:process'

/**
 * Makes a folder, and missing ones above it, for this user alone. The mode is given when it is made, because a mode set
 * afterwards leaves a moment in which others may read.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/**
 * Makes an empty file for this user alone where there is none. SQLite fills it, and gives its mode to the files that it
 * makes beside it.
 */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The mode of a file or folder that other users of the machine have rights to, such as `755`; undefined for any other. */
export function modeOpenToOthers(path: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return (mode & 0o077) === 0 ? undefined : mode.toString(8)
}
