import { readdirSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { isDraft } from './write-file.ts'

export interface FoundPages {
  /** Paths below the folder with slashes, sorted. */
  readonly pages: readonly string[]
  /** Files that a killed run left unfinished. */
  readonly drafts: readonly string[]
  readonly unreadable: readonly { readonly file: string; readonly error: unknown }[]
}

/** Folders that no server gives out. */
const ignoredFolders = new Set(['node_modules', '.git'])

/** Finds every HTML file of a folder but those in the folder of pictures. Throws if the folder cannot be read. */
export function findPages(folder: string, out: string): FoundPages {
  const { files, unreadable } = findFiles(folder)
  const drafts = files.filter((file) => isDraft(basename(file)))
  const pages = files.filter(
    (file) =>
      /\.x?html?$/i.test(file) && !isDraft(basename(file)) && !join(folder, file).startsWith(out + sep),
  )
  return { pages: pages.sort(), drafts, unreadable }
}

interface FoundFiles extends Pick<FoundPages, 'unreadable'> {
  readonly files: readonly string[]
}

/**
 * Finds every file of a folder that a server may give out. Symbolic links are not followed: what they lead to inside of the
 * folder is found by its own name, and what is outside is none of its files. Throws if the folder itself cannot be read.
 */
export function findFiles(folder: string): FoundFiles {
  const files: string[] = []
  const unreadable: FoundFiles['unreadable'][number][] = []
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    try {
      for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
        const path = below + entry.name
        if (entry.isDirectory() && !ignoredFolders.has(entry.name)) waiting.push(`${path}/`)
        else if (entry.isFile()) files.push(path)
      }
    } catch (error) {
      if (below === '') throw error
      unreadable.push({ file: below, error })
    }
  }
  return { files, unreadable }
}
