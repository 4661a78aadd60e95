import { compress, compressedBytesMin, isCompressible, negotiateEncoding } from './compression.ts'

/** Compresses what is made for one answer. What is sent often is kept compressed and comes here encoded. */
export async function encodeBody(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response
  const contentType = headers.get('content-type') ?? ''
  if (headers.has('content-encoding') || !isCompressible(contentType)) return response
  // A 402 is small and made anew for everybody: to compress it would cost more than all the rest of it.
  if (status === 402) return response
  headers.append('vary', 'Accept-Encoding')
  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  if (encoding === undefined) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength === 0) return new Response(null, { status, headers })
  if (bytes.byteLength < compressedBytesMin) return new Response(bytes, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(await compress(encoding, bytes), { status, headers })
}
