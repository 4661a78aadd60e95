/**
 * Removes what may be the secret of a key, 64 hex digits, from a message: it may be in the place of any argument, and
 * messages end up in logs of builds. Names of pictures have fewer digits.
 */
export function withoutSecrets(message: string): string {
  return message.replace(/[\da-f]{33,}/gi, '…')
}
