import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * `npm pack` in the repository packs the client alone: until `postpack` puts ours back, package.json and README.md are the
 * client's.
 * Plain JavaScript, because it runs on Node.
 */
const manifest = JSON.parse(readFileSync('src/client/manifest.json', 'utf8'))
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
copyFileSync('package.json', 'package.json.server')
// Without the name in front: npm packs every file whose name begins with README.
copyFileSync('README.md', 'server-readme.md')
copyFileSync('src/client/README.md', 'README.md')
writeFileSync('package.json', `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`)
