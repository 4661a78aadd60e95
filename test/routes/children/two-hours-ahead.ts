import process from 'node:process'

// A server refuses to start under a clock that is not the database's.
process.once('SIGUSR2', () => {
  const now = Date.now
  Date.now = () => now() + 2 * 3_600_000
})
await import(new URL('../../../src/main.ts', import.meta.url).href)
