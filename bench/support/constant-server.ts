/** What HTTP itself costs: one route that answers every request with the bytes of the file it is given. */
const [port = '0', file = ''] = process.argv.slice(2)
const bytes = await Bun.file(file).bytes()

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  fetch: () => new Response(bytes, { headers: { 'content-type': 'image/svg+xml' } }),
})
