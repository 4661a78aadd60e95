import { pathToFileURL } from 'node:url'
import type { Check } from './check.ts'

/** Runs the checks of one module and prints one JSON line for each: `[name, message or null]`. */
const [file = ''] = process.argv.slice(2)
const { checks }: { checks: readonly Check[] } = await import(pathToFileURL(file).href)

for (const { name, run } of checks) {
  try {
    await run()
    console.log(JSON.stringify([name, null]))
  } catch (error) {
    console.log(JSON.stringify([name, error instanceof Error ? error.message : String(error)]))
  }
}
process.exit(0)
