import { compress, compressedBytesMin, isCompressible, negotiateEncoding } from './compression.ts'

/** Compresses a body that is sent once. Cached bodies are compressed before they come here. */
export async function encodeBody(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response
  const contentType = headers.get('content-type') ?? ''
  if (headers.has('content-encoding') || !isCompressible(contentType)) return response
  // A 402 is small and different for everybody: compression would cost more than the rest of it.
  if (status === 402) return response
  if (!headers.get('vary')?.includes('Accept-Encoding')) headers.append('vary', 'Accept-Encoding')
  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  if (encoding === undefined) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength === 0) return new Response(null, { status, headers })
  if (bytes.byteLength < compressedBytesMin) return new Response(bytes, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(await compress(encoding, bytes), { status, headers })
}
