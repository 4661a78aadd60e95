import { readdir, readFile, writeFile } from 'node:fs/promises'
import { drawPictures } from '../pictures/draw-pictures.ts'
import { resultsPage } from './results-page.ts'
import { savedResults } from './section-result.ts'

/** Writes RESULTS.md and its pictures anew, from what is kept of the sections of these names. */
export async function writePage(names: readonly string[]): Promise<void> {
  const results = savedResults(names)
  const pictures = await drawPictures(results)
  await writeFile(
    new URL('../RESULTS.md', import.meta.url),
    resultsPage(results, pictures, await readStudies()),
  )
}

/** Figures that were measured by hand, a file for each question. */
async function readStudies(): Promise<readonly string[]> {
  const folder = new URL('../studies/', import.meta.url)
  const names = (await readdir(folder)).toSorted()
  return await Promise.all(
    names.map(async (name) => (await readFile(new URL(name, folder), 'utf8')).trimEnd()),
  )
}
