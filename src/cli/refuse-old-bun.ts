import process from 'node:process'
import manifest from '../../package.json' with { type: 'json' }

/**
 * Ends the process with a message if this Bun is older than what `engines` of package.json asks for. An older one fails
 * over a module that it lacks, or installs nothing and says nothing, so this runs before either.
 */
export function refuseOldBun(): void {
  const needed = manifest.engines.bun.replace('>=', '')
  if (!isOlder(Bun.version, needed)) return
  console.error(
    `Mintmark needs Bun ${needed} or newer, and this is Bun ${Bun.version}. Run "bun upgrade", or put "npx bun@latest" in the place of "bun".`,
  )
  process.exit(1)
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version)
  const [majorMin = 0, minorMin = 0, patchMin = 0] = numbersOf(needed)
  if (major !== majorMin) return major < majorMin
  return minor === minorMin ? patch < patchMin : minor < minorMin
}

function numbersOf(version: string): readonly number[] {
  return version.split(/[.-]/).map(Number)
}

/** `bun src/cli/refuse-old-bun.ts`: for scripts that install. */
if (import.meta.main) refuseOldBun()
