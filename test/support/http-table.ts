import { expect, test } from 'bun:test'

/** One request and what its answer must have and must not have. */
export interface HttpCase {
  readonly name: string
  readonly method?: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly expectedStatus: number
  /** Texts that the body must contain. */
  readonly expectedContent?: readonly string[]
  readonly notExpectedContent?: readonly string[]
  /** Values of headers, or patterns for them, which begin with `^`. */
  readonly expectedHeaders?: Readonly<Record<string, string>>
  readonly notExpectedHeaders?: readonly string[]
}

/** Makes a test of every row; each asks the server that `server()` returns by then. */
export function testTable(server: () => { readonly url: string }, cases: readonly HttpCase[]): void {
  test.each(cases.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const { method = 'GET', headers = {}, body } = row
    const response = await fetch(server().url + row.url, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body }),
    })
    const text = await response.text()
    expect({ status: response.status, text }).toEqual({ status: row.expectedStatus, text })
    for (const content of row.expectedContent ?? []) expect(text).toContain(content)
    for (const content of row.notExpectedContent ?? []) expect(text).not.toContain(content)
    for (const [name, value] of Object.entries(row.expectedHeaders ?? {}))
      expect(`${name}: ${response.headers.get(name)}`).toMatch(
        new RegExp(
          value.startsWith('^') ? `^${name}: ${value.slice(1)}` : `^${RegExp.escape(`${name}: ${value}`)}$`,
        ),
      )
    for (const name of row.notExpectedHeaders ?? [])
      expect(`${name}: ${response.headers.get(name)}`).toBe(`${name}: null`)
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
}
