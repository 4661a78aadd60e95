/** A JSON answer that no cache keeps. `Response.json` names the type differently on each runtime. */
export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}
