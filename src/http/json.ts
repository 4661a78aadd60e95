/**
 * Returns a JSON response that is not cached, in lines for people at a terminal. `Response.json` writes another content
 * type on each runtime.
 */
export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${JSON.stringify(value, null, 2)}\n`, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}
