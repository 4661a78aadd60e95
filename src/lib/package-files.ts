import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder beside the executable in which `bun run build` lays what packages bring as files. */
export const shippedFolder = 'mintmark-files'

/** Bun mounts what it compiled in under this name. */
const isCompiled = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')

const root = isCompiled
  ? join(dirname(process.execPath), shippedFolder)
  : fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Path of a file that an installed package brings: `packageFile('inter-ui', 'variable/InterVariable.woff2')`. */
export function packageFile(packageName: string, file: string): string {
  return join(root, packageName, file)
}
