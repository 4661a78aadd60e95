/** What HTTP itself costs: every request is answered with the bytes of the file it is given, at `/304` with an empty 304. */
const [port = '0', file = ''] = process.argv.slice(2)
const bytes = await Bun.file(file).bytes()

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  fetch: (request) =>
    request.url.endsWith('/304')
      ? new Response(null, { status: 304, headers: { etag: '"constant"' } })
      : new Response(bytes, { headers: { 'content-type': 'image/svg+xml' } }),
})
