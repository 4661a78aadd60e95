import { Buffer } from 'node:buffer'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createTar } from 'nanotar'
import { projectFile } from '../lib/package-files.ts'
import { version } from '../lib/version.ts'
import manifest from './manifest.json' with { type: 'json' }

/** The client's package, as `npm pack` packs it. Equal files give equal bytes: no time, no owner. */
export async function clientPackage(): Promise<Uint8Array<ArrayBuffer>> {
  const files = ['LICENSE', ...manifest.files].flatMap(filesIn).map((name) => [name, name] as const)
  const packed = [...files, ['README.md', 'src/client/README.md'] as const].map(([name, source]) => ({
    name: `package/${name}`,
    data: new Uint8Array(readFileSync(projectFile(source))),
  }))
  const description = `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`
  const attributes = { mode: '644', uid: 0, gid: 0, mtime: 0 }
  const tar = createTar([{ name: 'package/package.json', data: description }, ...packed], {
    attrs: attributes,
  })
  return new Uint8Array(await promisify(gzip)(Buffer.concat([tar, endOfArchive]), { level: 9 }))
}

/** Two blocks of zeros. nanotar fills the last record only, which may hold fewer. */
const endOfArchive = new Uint8Array(2 * 512)

/** A file itself, or every file in a folder, in the order of their names. */
function filesIn(name: string): string[] {
  if (statSync(projectFile(name)).isFile()) return [name]
  const names = readdirSync(projectFile(name)).sort()
  return names.flatMap((each) => filesIn(`${name}/${each}`))
}
