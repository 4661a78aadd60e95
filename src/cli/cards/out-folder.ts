import { join, relative, resolve, sep } from 'node:path'
import { refuseLinks } from '../read-text.ts'

/** The folder of pictures: below the folder, or named from where the command runs. */
export function outFolder(folder: string, out: string): string {
  const candidates = [resolve(out), join(folder, out)]
  const path = candidates.find((candidate) => candidate.startsWith(folder + sep))
  if (path === undefined || relative(folder, path) === '')
    throw new Error(`--out must be a folder below ${folder}.`)
  refuseLinks(folder, path)
  return path
}
