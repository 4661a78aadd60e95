import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import { isExecutable, projectFile } from '../lib/package-files.ts'

/** The list that `bun run precompile` writes: a program, which has its bytecode beside it, and all its sources. */
export interface Precompiled {
  /** The program, whose bytecode is for this version of Bun alone. */
  readonly program: string
  readonly bunVersion: string
  /** The folder of the sources, which the program names in paths. */
  readonly root: string
  readonly sources: readonly (readonly [path: string, stamp: string])[]
}

export const precompiledFolder = projectFile('dist/precompiled')

/** Loads the start of the program, precompiled where that was made of exactly these sources. */
export async function loadStart(): Promise<typeof import('./start.ts')> {
  const program = isExecutable ? undefined : precompiledProgram()
  try {
    if (program !== undefined) return await import(program)
  } catch {
    // The program was replaced just now, or is damaged. The sources do the same.
  }
  return import('./start.ts')
}

/** Path of the precompiled program; undefined if there is none, or one of other sources. */
export function precompiledProgram(): string | undefined {
  const { program, bunVersion, root, sources } = readPrecompiled() ?? {}
  const isCurrent =
    bunVersion === process.versions['bun'] &&
    root === projectFile('') &&
    sources?.every(([path, stamp]) => sourceStamp(path) === stamp)
  return isCurrent ? program : undefined
}

export function readPrecompiled(): Precompiled | undefined {
  try {
    return JSON.parse(readFileSync(`${precompiledFolder}/list.json`, 'utf8'))
  } catch {
    return undefined
  }
}

/** A file's size and when it was changed, in whole seconds because layers of container images keep no more. */
export function sourceStamp(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.size} ${Math.floor(stats.mtimeMs / 1000)}`
}
