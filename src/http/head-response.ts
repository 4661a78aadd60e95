/** Turns the response to GET into the one to HEAD: the same headers, with the length if it is known. */
export async function headResponse(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  const { status, body } = response
  const type = headers.get('content-type')
  // A stream is not read to its end only to know its length.
  if (type !== null && /^text\/(event-stream|csv)/.test(type)) {
    await body?.cancel()
    return new Response(unknownLength(), { status, headers })
  }
  // The asset was not rendered for HEAD, so its Content-Length is unknown.
  if (type !== null && body === null) return new Response(unknownLength(), { status, headers })
  if (status !== 304 && status !== 204)
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status, headers })
}

/** A body that servers do not send for HEAD; without one they would answer `Content-Length: 0`. */
function unknownLength(): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1))
      controller.close()
    },
  })
}
