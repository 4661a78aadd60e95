import process from 'node:process'
import { escapeControls } from './human-format.ts'
import { percentDecode } from './query-pairs.ts'
import table from './system-reasons.json' with { type: 'json' }

const reasons: Readonly<Record<string, string>> = table

/** Returns what a system error means, in words for the operator; undefined for every other error. */
export function systemReason(error: unknown): string | undefined {
  const code = errorCode(error)
  const reason = reasons[code]
  const uid = process.getuid?.()
  return /^(?:EACCES|EPERM)$/.test(code) && uid !== undefined ? `${reason} (it is user ${uid})` : reason
}

export function reasonOf(error: unknown): string {
  return systemReason(error) ?? (error instanceof Error ? error.message : String(error))
}

/** An error as one line for the operator. Errors of files begin with the path. */
export function errorLine(error: unknown): string {
  const reason = systemReason(error)
  const path = error instanceof Error && 'path' in error ? String(error.path) : undefined
  return reason !== undefined && path !== undefined ? `${escapeControls(path)}: ${reason}.` : reasonOf(error)
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Shorter parts of a URL are words such as `v3`, which no key is. */
const secretCharsMin = 8
const readCharsMax = 10_000

/** Shortens another service's texts, without its URL and header values, which services repeat and which hold an account's key. */
export function foreignTextOf(url: string, headers: Readonly<Record<string, string>> = {}) {
  const { pathname, search, username, password, searchParams, host, hostname } = new URL(url)
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  const raw = [pathname + search, ...pathname.split('/'), search, username, password, host, hostname]
  const parts = [
    ...raw,
    ...raw.map((part) => percentDecode(part) ?? part),
    ...searchParams.values(),
    ...values,
  ]
  const secrets = [...new Set(parts)]
    .filter(({ length }) => length >= secretCharsMin)
    .toSorted((one, other) => other.length - one.length)
  return (text: string, charsMax: number) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '…'), text.slice(0, readCharsMax))
      .slice(0, charsMax)
}
