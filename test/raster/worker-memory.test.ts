import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./children/draws-many-sizes.ts', import.meta.url))

/** The server's own environment, from `src/cli/small-heap.ts`. */
const env = {
  PATH: process.env['PATH'],
  BUN_JSC_forceRAMSize: String(170 * 2 ** 20),
  BUN_JSC_largeHeapGrowthFactor: '1.12',
  MIMALLOC_PURGE_DELAY: '10',
}

// Without collecting by what was drawn it grows by 100 to 160 MB, with it by 12 to 16. Takes 4 s.
test.skipIf(process.platform !== 'linux')(
  'pictures of many sizes one after the other leave no memory behind in the worker (Linux only: /proc)',
  async () => {
    const child = Bun.spawn([process.execPath, program], { env, stderr: 'inherit' })
    const grownMb = Number(await new Response(child.stdout).text())
    expect(await child.exited).toBe(0)
    expect(grownMb).toBeLessThan(60)
  },
)
