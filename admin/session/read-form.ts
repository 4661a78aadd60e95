/** The fields of a form that was sent as `application/x-www-form-urlencoded`. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

/** SQLite's full-text search ends a query at a NUL, inside its quotes. No stored text has one. */
export function withoutNuls(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [replaceNuls(name), replaceNuls(value)]))
}

export function replaceNuls(text: string): string {
  return text.replaceAll('\0', '\u{fffd}')
}
