import { readFileSync } from 'node:fs'

export function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

/** The text of a file; empty where it is missing or cannot be read. */
export function textIfReadable(path: string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}
