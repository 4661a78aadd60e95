import { readFileSync } from 'node:fs'
import { Elysia } from 'elysia'
import { clientPackage } from '../client/client-package.ts'
import type { PublicDocument, PublicDocuments } from '../http/public-documents.ts'
import { contextOf } from '../http/request-context.ts'
import { projectFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import { operation } from './openapi/operation.ts'

/** `/client.js`, its types, and the package that npm installs, all at the version of this server. */
export function clientFiles(documents: PublicDocuments) {
  const script = { 'content-type': 'text/javascript; charset=utf-8', 'x-typescript-types': './client.d.ts' }
  const types = { 'content-type': 'application/typescript; charset=utf-8' }
  const archive = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="mintmark-${version}.tgz"`,
  }
  /** Returns the handler of a file and the options of its route. A browser or npm asks each time whether it has changed. */
  function file(
    operationId: string,
    summary: string,
    write: PublicDocument['write'],
    headers: PublicDocument['headers'],
  ) {
    const complete = { ...headers, 'cache-control': 'public, no-cache' }
    function handler({ request }: { readonly request: Request }): Promise<Response> {
      return documents.answer(contextOf(request), { key: operationId, headers: complete, write })
    }
    const [mediaType = ''] = headers['content-type'].split(';')
    return [handler, operation('machines', operationId, summary, { mediaType })] as const
  }

  return new Elysia({ name: 'client-files' })
    .get('/client.js', ...file('client', 'The client as an ES module.', () => read('client.js'), script))
    .get('/client.d.ts', ...file('clientTypes', 'The types of the client.', () => read('client.d.ts'), types))
    .get('/client.tgz', ...file('clientPackage', 'The client for npm install.', clientPackage, archive))
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(projectFile(`client/${name}`)))
}
