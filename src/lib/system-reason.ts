import process from 'node:process'
import { errorCode } from './error-code.ts'
import { escapeControls } from './human-format.ts'

/** Meanings of the system's error codes, in words. */
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

/** Why something failed, in words for the operator. */
export function reasonOf(error: unknown): string {
  return systemReason(error) ?? (error instanceof Error ? error.message : String(error))
}

/** An error as one line for the operator. Errors of files begin with the path. */
export function errorLine(error: unknown): string {
  const reason = systemReason(error)
  const path = error instanceof Error && 'path' in error ? String(error.path) : undefined
  return reason !== undefined && path !== undefined ? `${escapeControls(path)}: ${reason}.` : reasonOf(error)
}
