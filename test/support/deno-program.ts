import { join } from 'node:path'

/**
 * Deno itself, found without PATH, which only `bun run` extends. The package's own launcher stays behind as its parent and
 * passes no signal on.
 */
export const denoProgram = join(
  import.meta.dirname,
  '../../node_modules/@deno',
  `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`,
  'deno',
)
