import process from 'node:process'
import { escapeControls } from './human-format.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file and no folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'there is a file in its place',
  EROFS: 'its file system is mounted read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'this process has too many files open',
  ENAMETOOLONG: 'its name is too long',
  EADDRINUSE: 'another program listens there already',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no name server knows that name',
  EAI_AGAIN: 'no name server answers',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the other side ended the connection',
  EHOSTUNREACH: 'there is no way to that address',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'nothing answered in time',
}

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

/** Returns the stack of an error, for the log; the text of anything else that was thrown. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Shorter parts of a URL are words such as `v3`, which no key is. */
const secretCharsMin = 8
const readCharsMax = 10_000

/** Shortens another service's texts, without its URL and header values, which services repeat and which hold an account's key. */
export function foreignTextOf(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): (text: string, charsMax: number) => string {
  const { pathname, search, username, password, searchParams, host, hostname } = new URL(url)
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  const raw = [pathname + search, ...pathname.split('/'), search, username, password, host, hostname]
  const parts = [...raw, ...raw.map(decodedOf), ...searchParams.values(), ...values]
  const secrets = [...new Set(parts)]
    .filter(({ length }) => length >= secretCharsMin)
    .toSorted((one, other) => other.length - one.length)
  return (text, charsMax) =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, '…'), text.slice(0, readCharsMax))
      .slice(0, charsMax)
}

function decodedOf(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
