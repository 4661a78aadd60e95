import { writeFile } from 'node:fs/promises'
import { resultsPage } from './results-page.ts'
import { savedResults } from './section-result.ts'

/** Writes RESULTS.md anew, from what is kept of the sections of these names. */
export async function writePage(names: readonly string[]): Promise<void> {
  await writeFile(new URL('../RESULTS.md', import.meta.url), resultsPage(savedResults(names), []))
}
