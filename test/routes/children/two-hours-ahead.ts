const now = Date.now
Date.now = () => now() + 2 * 3_600_000
await import('../../../src/main.ts')
