import { createReadStream } from 'node:fs'
import process from 'node:process'
import { reasonOf } from '../../lib/system-reason.ts'
import { InputError, mistakeAt } from './input-error.ts'
import { parseCsv } from './parse-csv.ts'
import { parseJsonLines } from './parse-json-lines.ts'
import type { Row } from './row.ts'

/** Some 100,000 rows. */
const bytesMax = 64 * 2 ** 20

/**
 * Reads all rows of a CSV or JSON Lines file, or of the standard input where `path` is `-`. The file's extension tells the
 * form, else its first character does. Rejects with an `InputError` that names every line that cannot be read.
 */
export async function readRows(path: string): Promise<readonly Row[]> {
  const source = path === '-' ? 'standard input' : path
  const text = decode(await readBytes(path, source), source)
  const rows = isJson(path, text) ? parseJsonLines(text, source) : parseCsv(text, source)
  if (rows.length === 0) throw new InputError([`${source} has no rows.`])
  return rows
}

async function readBytes(path: string, source: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      byteLength += chunk.length
      if (byteLength > bytesMax) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new InputError([`${source} cannot be read: ${reasonOf(error)}`])
  }
  if (byteLength > bytesMax)
    throw new InputError([`${source} is larger than ${bytesMax / 2 ** 20} MiB: split it.`])
  return Buffer.concat(chunks)
}

/** The text, without a byte order mark. */
function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InputError([mistakeAt({ source, line: firstBadLine(bytes) }, 'is not UTF-8')])
  }
}

function firstBadLine(bytes: Uint8Array): number {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.findIndex((line) => line.includes('\ufffd')) + 1
}

function isJson(path: string, text: string): boolean {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  if (extension === 'csv' || extension === 'tsv') return false
  return ['jsonl', 'ndjson', 'json'].includes(extension) || /^\s*[[{]/.test(text)
}
