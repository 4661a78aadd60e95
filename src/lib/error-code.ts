/** The `code` of an error of the system or of Node, for example `ENOENT`; empty where there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
