import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isDraft } from './write-file.ts'

export interface FoundPages {
  /** Paths below the folder with slashes, sorted. */
  readonly pages: readonly string[]
  /** Files that a killed run left unfinished. */
  readonly drafts: readonly string[]
  /** Folders that cannot be read. */
  readonly unreadable: readonly { readonly file: string; readonly error: unknown }[]
}

/** Folders that no server gives out. */
const ignoredFolders = new Set(['node_modules', '.git'])

/**
 * Finds every HTML file of a folder. Symbolic links are not followed: what they lead to inside of the folder is found by
 * its own name, and what is outside is none of its pages. Throws if the folder itself cannot be read.
 *
 * @param out the folder of pictures, in which nothing is a page
 */
export function findPages(folder: string, out: string): FoundPages {
  const pages: string[] = []
  const drafts: string[] = []
  const unreadable: FoundPages['unreadable'][number][] = []
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    try {
      for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
        const path = below + entry.name
        if (entry.isDirectory() && !ignoredFolders.has(entry.name)) waiting.push(`${path}/`)
        else if (!entry.isFile()) continue
        else if (isDraft(entry.name)) drafts.push(path)
        else if (/\.x?html?$/i.test(entry.name) && !join(folder, path).startsWith(out + sep)) pages.push(path)
      }
    } catch (error) {
      if (below === '') throw error
      unreadable.push({ file: below, error })
    }
  }
  return { pages: pages.sort(), drafts, unreadable }
}
