import { Buffer } from 'node:buffer'

/** The JSON of an answer. Throws when it is longer than `bytesMax`, and stops reading there. */
export async function readJson({ body }: Response, bytesMax: number): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Error(`it answers more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}
