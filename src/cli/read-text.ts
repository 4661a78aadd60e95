import { lstatSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { reasonOf } from '../lib/system-reason.ts'

export function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

/** Reads a file that the user named. The error has that name, and the reason. */
export function readNamed(path: string, name = path): string {
  try {
    return readText(path)
  } catch (error) {
    throw new Error(`${name} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

export function textIfReadable(path: string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}

/** Throws if a part of a path below a folder is a symbolic link: what is written there would be outside of the folder. */
export function refuseLinks(folder: string, path: string): void {
  const parts = relative(folder, path).split(sep)
  for (const [index] of parts.entries()) {
    const part = join(folder, ...parts.slice(0, index + 1))
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error(
        `${part} is a symbolic link. Nothing is written through links: put a folder in its place.`,
      )
  }
}
