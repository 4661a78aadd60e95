import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Elysia } from 'elysia'
import { clientPackage } from '../client/client-package.ts'
import { etagOf, matchingEtag } from '../http/conditional.ts'
import { projectFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import { operation } from './openapi/operation.ts'

/** `/client.js`, its types, and the package that npm installs, all at the version of this server. */
export function clientFiles() {
  const script = { 'content-type': 'text/javascript; charset=utf-8', 'x-typescript-types': '/client.d.ts' }
  const types = { 'content-type': 'application/typescript; charset=utf-8' }
  const archive = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="mintmark-${version}.tgz"`,
  }
  return new Elysia({ name: 'client-files' })
    .get('/client.js', ...file('client', 'The client as an ES module.', read('client.js'), script))
    .get('/client.d.ts', ...file('clientTypes', 'The types of the client.', read('client.d.ts'), types))
    .get('/client.tgz', ...file('clientPackage', 'The client for npm install.', clientPackage(), archive))
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(projectFile(`client/${name}`)))
}

/** Returns the handler of a file and the options of its route. A browser or npm asks each time whether it has changed. */
function file(
  operationId: string,
  summary: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> & { readonly 'content-type': string },
) {
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const complete = { ...headers, etag: etagOf(tag), 'cache-control': 'public, no-cache' }
  function handler({ request }: { readonly request: Request }): Response {
    const etag = matchingEtag(request.headers.get('if-none-match'), tag)
    if (etag === undefined) return new Response(body, { headers: complete })
    return new Response(null, { status: 304, headers: { ...complete, etag } })
  }
  const [mediaType = ''] = headers['content-type'].split(';')
  return [handler, operation('machines', operationId, summary, { mediaType })] as const
}
