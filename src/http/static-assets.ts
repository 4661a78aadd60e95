import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import { type Body, textBody } from '../lib/body.ts'
import { createPublicDocuments } from './public-documents.ts'
import { contextOf } from './request-context.ts'

export interface StaticFile {
  readonly name: string
  readonly body: Body
  readonly contentType: string
}

/** Enough for all files of one service and their compressed forms. */
const keptBytesMax = 2 ** 20

/** Serves files that pages load. A changed file gets a new URL, so browsers may cache it without end. */
export function staticAssets(id: string, files: readonly StaticFile[]) {
  const paths = new Map(
    files.map(({ name, body }) => {
      const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
      return [name, `/assets/${digest}/${name}`]
    }),
  )

  function path(name: string): string {
    const found = paths.get(name)
    if (found === undefined) throw new Error(`There is no file ${name}.`)
    return found
  }

  function routes() {
    const documents = createPublicDocuments({ bytesMax: keptBytesMax })
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
