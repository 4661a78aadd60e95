/** Returns a JSON response that is not cached. `Response.json` writes another content type on each runtime. */
export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}
