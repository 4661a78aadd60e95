import process from 'node:process'
import manifest from '../../package.json' with { type: 'json' }

/** Ends the process if this Bun is older than package.json asks for: it would fail over a missing module, or install nothing. */
export function refuseOldBun(): void {
  const needed = manifest.engines.bun.replace('>=', '')
  if (Bun.semver.order(Bun.version, needed) >= 0) return
  console.error(
    `Mintmark needs Bun ${needed} or newer, and this is Bun ${Bun.version}. Run "bun upgrade", or put "npx bun@latest" in the place of "bun".`,
  )
  process.exit(1)
}

if (import.meta.main) refuseOldBun()
