import { hash } from 'node:crypto'
import { Elysia } from 'elysia'
import { type Body, bodyText, textBody } from '../lib/body.ts'
import { createByteCache } from '../lib/byte-cache.ts'
import { etagOf, matchingEtag } from './cache-control.ts'
import { compress, compressedBytesMin, encodingFor, isCompressible, sharedBody } from './compression.ts'
import { contextOf, type RequestContext } from './request-context.ts'

/** A document that is the same for everybody, but for the origin that it names. */
export interface PublicDocument {
  readonly key: string
  readonly headers: Readonly<Record<string, string>> & { readonly 'content-type': string }
  /** Writes the document once, with an origin that stands for those of all requests, and has their scheme. */
  readonly write: (origin: string) => Body | Promise<Body>
}

export type PublicDocuments = ReturnType<typeof createPublicDocuments>

interface Written {
  readonly body: Body
  readonly tag: string
  /** The text before, between and behind the places of the host; undefined if there are none. */
  readonly parts: readonly string[] | undefined
}

/**
 * The key names all that a document depends on but the origin. Anybody can ask for one under hosts of their own making
 * where BASE_URL is unset, so `bytesMax` bounds what is kept: half as written, half filled in and compressed.
 */
export function createPublicDocuments(bytesMax: number, baseUrl?: string) {
  const documents = createByteCache<Written>(bytesMax / 2, ({ body }) => body.length)
  const copies = createByteCache<Body>(bytesMax / 2, ({ length }) => length)

  async function write(document: PublicDocument, scheme: string): Promise<Written> {
    const body = await document.write(baseUrl ?? `${scheme}://${placeholder}`)
    const parts = isCompressible(document.headers['content-type']) ? bodyText(body).split(placeholder) : []
    return { body, tag: tagOf(body), parts: parts.length > 1 ? parts : undefined }
  }

  return {
    async answer(context: RequestContext, document: PublicDocument): Promise<Response> {
      const { request } = context
      const [scheme = '', host = ''] = context.baseUrl.split('://')
      const written = await documents.getOrCreate(`${document.key} ${scheme}`, () => write(document, scheme))
      const { body, parts } = written
      const tag = parts === undefined ? written.tag : tagOf(`${written.tag} ${host}`)
      const contentType = document.headers['content-type']
      const encoding = body.length < compressedBytesMin ? undefined : encodingFor(request, contentType)
      const headers = new Headers({ ...document.headers, etag: etagOf(tag, encoding) })
      // A shared cache tells hosts apart, but not X-Forwarded-Proto, which a caller may have made up.
      if (parts !== undefined) headers.set('cache-control', 'no-cache')
      if (isCompressible(contentType)) headers.append('vary', 'Accept-Encoding')
      const etag = matchingEtag(request.headers.get('if-none-match'), tag)
      if (etag !== undefined) {
        headers.set('etag', etag)
        return new Response(null, { status: 304, headers })
      }
      const named =
        parts === undefined ? body : await copies.getOrCreate(tag, () => textBody(parts.join(host)))
      if (encoding === undefined) return new Response(sharedBody(named), { headers })
      headers.set('content-encoding', encoding)
      const effort = parts === undefined ? 'thorough' : 'quick'
      const copy = await copies.getOrCreate(`${tag} ${encoding}`, () => compress(encoding, named, effort))
      return new Response(sharedBody(copy), { headers })
    },
    stats: () => {
      const [written, copied] = [documents.stats(), copies.stats()]
      return { bytes: written.bytes + copied.bytes, misses: written.misses + copied.misses }
    },
  }
}

/** Stands for the host in documents. It has no dot, because code in pages may break before one. */
const placeholder = 'host-of-the-request'

function tagOf(body: Body): string {
  return hash('sha256', body, 'base64url').slice(0, 22)
}

/** Enough for all files of one service and their compressed forms. */
const keptBytesMax = 2 ** 20

/** Serves files that pages load. A changed file gets a new URL, so browsers may cache it without end. */
export function staticAssets(
  id: string,
  files: readonly { readonly name: string; readonly body: Body; readonly contentType: string }[],
) {
  const paths = new Map(
    files.map(({ name, body }) => [name, `/assets/${hash('sha256', body, 'hex').slice(0, 10)}/${name}`]),
  )

  function path(name: string): string {
    const found = paths.get(name)
    if (found === undefined) throw new Error(`There is no file ${name}.`)
    return found
  }

  function routes() {
    const documents = createPublicDocuments(keptBytesMax)
    const router = new Elysia({ name: `assets-${id}` })
    for (const { name, body, contentType } of files) {
      const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' }
      const document = { key: name, headers, write: () => (typeof body === 'string' ? textBody(body) : body) }
      router.get(path(name), ({ request }) => documents.answer(contextOf(request), document))
    }
    return router
  }

  return { path, routes }
}
