import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Check } from '../check.ts'

/** Runs the checks of the modules that are named, and prints a JSON line for each: `[module, name, message or null]`. */
for (const file of process.argv.slice(2)) {
  const { checks }: { checks: readonly Check[] } = await import(pathToFileURL(file).href)
  for (const { name, run } of checks) {
    let message: string | null = null
    try {
      await run()
    } catch (error) {
      message = error instanceof Error ? error.message : String(error)
    }
    console.log(JSON.stringify([file, name, message]))
  }
}
process.exit(0)
