import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import { isExecutable } from '../lib/is-executable.ts'
import { projectFile } from '../lib/package-files.ts'

/** What `bun run precompile` wrote: one program with its bytecode, and all the files that it was made of. */
export interface Precompiled {
  /** Bytecode is of one version of Bun only. */
  readonly bun: string
  /** The program has absolute paths in it. */
  readonly root: string
  readonly program: string
  /** Absolute path and stamp of each source, in the order in which they were read. */
  readonly sources: readonly (readonly [path: string, stamp: string])[]
}

type Start = typeof import('./start.ts')

/** The folder that `bun run precompile` writes, and its list, which is written last. */
export const precompiledFolder = projectFile('dist/precompiled')
export const precompiledList = `${precompiledFolder}/precompiled.json`

/** The folder of this program, which precompiled code names in its paths. */
export const programRoot = projectFile('')

/** Loads the start of the program: precompiled where that is exactly these sources, else the sources. */
export async function loadStart(): Promise<Start> {
  const program = isExecutable ? undefined : readProgram()
  if (program !== undefined) {
    try {
      return (await import(program)) as Start
    } catch {
      // Another process has just replaced it. Nothing ran yet: loading the start of the program does nothing else.
    }
  }
  return import('./start.ts')
}

function readProgram(): string | undefined {
  try {
    const { bun, root, program, sources } = JSON.parse(readFileSync(precompiledList, 'utf8')) as Precompiled
    const isCurrent =
      bun === process.versions['bun'] &&
      root === programRoot &&
      sources.every(([path, stamp]) => sourceStamp(path) === stamp)
    return isCurrent ? program : undefined
  } catch {
    return undefined
  }
}

/**
 * Size and time of the last change of a file, in whole seconds: layers of container images keep no more. Throws if there
 * is no such file.
 */
export function sourceStamp(path: string): string {
  const { size, mtimeMs } = statSync(path)
  return `${size} ${Math.floor(mtimeMs / 1000)}`
}
