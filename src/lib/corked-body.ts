import type { Body } from './body.ts'

/** Bun joins a shorter body with its headers by itself, also where the response was waited for. */
const corkedBytesMin = 15 * 1024

const isBun = 'Bun' in globalThis

const encoder = new TextEncoder()

/**
 * A body that Bun sends together with the headers of its response.
 *
 * Bun gathers what it writes (corks the socket) only while the handler of a request runs. Where the response was waited
 * for, each name and each value of its headers is a system call of its own: 71 of them for a picture, which cost twenty
 * times as much as sending it does. A direct stream that keeps everything until its end is written at once, and has a
 * `Content-Length` all the same. Deno needs none of this.
 */
export function corkedBody(body: Body): Body | ReadableStream {
  if (!isBun || !isCorked(body)) return body
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(controller) {
      void controller.write(bytes)
      void controller.end()
    },
  }
  // The types of browsers, which the check reads, do not know direct streams.
  return new ReadableStream(source as unknown as UnderlyingSource, { highWaterMark: bytes.byteLength + 1 })
}

/** Whether the body is long enough for `corkedBody` to make a difference. */
export function isCorked(body: Body): boolean {
  return body.length >= corkedBytesMin
}
