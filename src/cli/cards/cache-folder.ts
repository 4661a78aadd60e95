import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from '../runtime.ts'

/**
 * Where pictures and facts of pages are kept between runs: beside the nearest package.json above the folder, where tools of
 * builds keep theirs, else in the user's cache.
 */
export function cacheFolder(folder: string, env: Environment): string {
  for (let above = dirname(resolve(folder)); ; above = dirname(above)) {
    if (existsSync(join(above, 'package.json'))) return join(above, 'node_modules', '.cache', 'mintmark')
    if (above === dirname(above)) break
  }
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'mintmark')
}
