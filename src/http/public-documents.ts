import { createHash } from 'node:crypto'
import type { Body } from '../lib/body.ts'
import { createByteCache } from '../lib/byte-cache.ts'
import { compress, compressedBytesMin, encodingFor, isCompressible } from './compression.ts'
import { etagOf, matchingEtag } from './conditional.ts'
import type { RequestContext } from './request-context.ts'
import { sharedBody } from './wire/shared-body.ts'

/** A document that is the same for everybody. */
export interface PublicDocument {
  /** Tells documents apart; those that name the origin of the request have it in their key. */
  readonly key: string
  readonly headers: Readonly<Record<string, string>> & { readonly 'content-type': string }
  readonly write: () => Body | Promise<Body>
}

export type PublicDocuments = ReturnType<typeof createPublicDocuments>

interface Copy {
  readonly body: Body
  /** Names the bytes before their compression. */
  readonly tag: string
}

/**
 * Answers with documents that are written and compressed once, each with an ETag. The key names everything that a document
 * depends on; documents with a visitor's input or changing numbers do not belong here. Anybody can ask for one under hosts of
 * their own making where BASE_URL is unset, so `bytesMax` bounds what is kept.
 */
export function createPublicDocuments({ bytesMax }: { readonly bytesMax: number }) {
  const copies = createByteCache<Copy>({ bytesMax, sizeOf: ({ body }) => body.length })

  async function write({ write }: PublicDocument): Promise<Copy> {
    const body = await write()
    return { body, tag: createHash('sha256').update(body).digest('base64url').slice(0, 22) }
  }

  return {
    async answer({ request }: RequestContext, document: PublicDocument): Promise<Response> {
      const plain = await copies.getOrCreate(document.key, () => write(document))
      const { tag } = plain
      const contentType = document.headers['content-type']
      const encoding = plain.body.length < compressedBytesMin ? undefined : encodingFor(request, contentType)
      const headers = new Headers({ ...document.headers, etag: etagOf(tag, encoding) })
      if (isCompressible(contentType)) headers.append('vary', 'Accept-Encoding')
      const etag = matchingEtag(request.headers.get('if-none-match'), tag)
      if (etag !== undefined) {
        headers.set('etag', etag)
        return new Response(null, { status: 304, headers })
      }
      if (encoding === undefined) return new Response(sharedBody(plain.body), { headers })
      headers.set('content-encoding', encoding)
      const compressed = await copies.getOrCreate(`${tag} ${encoding}`, async () => ({
        body: await compress(encoding, plain.body, 'thorough'),
        tag,
      }))
      return new Response(sharedBody(compressed.body), { headers })
    },
    stats: copies.stats,
  }
}
