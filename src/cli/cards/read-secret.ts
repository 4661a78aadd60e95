import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Environment } from '../runtime.ts'

/** The secret of a key: from an option, the environment, a file that it names, or the standard input. */
export function readSecret(
  option: string | undefined,
  env: Environment,
  warn: (line: string) => void,
): string {
  if (option !== undefined) {
    warn('--secret shows the secret to everybody on this machine; MINTMARK_SECRET does not.')
    return option
  }
  const file = env['MINTMARK_SECRET_FILE']
  const secret = env['MINTMARK_SECRET'] || (file ? readFileSync(file, 'utf8') : fromInput()).trim()
  if (secret === '')
    throw new Error(
      '--server needs MINTMARK_SECRET, MINTMARK_SECRET_FILE, or the secret on the standard input.',
    )
  return secret
}

function fromInput(): string {
  return process.stdin.isTTY ? '' : readFileSync(0, 'utf8')
}
