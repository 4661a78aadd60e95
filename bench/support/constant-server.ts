/**
 * Measures the cost of HTTP itself: every request is answered with the bytes of a given file, at `/304` with an empty
 * 304.
 */
const [port = '0', file = '', picture = file] = process.argv.slice(2)
const svg = { bytes: await Bun.file(file).bytes(), headers: { 'content-type': 'image/svg+xml' } }
const png = { bytes: await Bun.file(picture).bytes(), headers: { 'content-type': 'image/png' } }

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  fetch: ({ url }) => {
    if (url.endsWith('/304')) return new Response(null, { status: 304, headers: { etag: '"constant"' } })
    const { bytes, headers } = url.endsWith('/png') ? png : svg
    return new Response(bytes, { headers })
  },
})
