import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { refuseLinks } from '../read-text.ts'
import type { Environment } from '../runtime.ts'

/** The folder of pictures: below the folder, or named from where the command runs. */
export function outFolder(folder: string, out: string): string {
  const candidates = [resolve(out), join(folder, out)]
  const path = candidates.find((candidate) => candidate.startsWith(folder + sep))
  if (path === undefined || relative(folder, path) === '')
    throw new Error(`--out must be a folder below ${folder}.`)
  refuseLinks(folder, path)
  return path
}

/**
 * The folder that keeps pictures and facts of pages between runs: beside the nearest package.json above the folder, where tools of
 * builds keep theirs, else in the user's cache.
 */
export function cacheFolder(folder: string, env: Environment): string {
  for (let above = dirname(resolve(folder)); ; above = dirname(above)) {
    if (existsSync(join(above, 'package.json'))) return join(above, 'node_modules', '.cache', 'mintmark')
    if (above === dirname(above)) break
  }
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'mintmark')
}
