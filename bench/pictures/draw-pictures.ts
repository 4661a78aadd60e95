import { mkdir, writeFile } from 'node:fs/promises'
import type { SectionResult } from '../report/section-result.ts'
import { growthPicture } from './growth.ts'
import { latencyPicture } from './latency.ts'
import { memoryPicture } from './memory.ts'
import { openSheet } from './sheet.ts'
import { speedPicture } from './speed.ts'

export const makers = [speedPicture, latencyPicture, memoryPicture, growthPicture]
const folder = new URL('../results/', import.meta.url)

/** Draws every picture whose figures were measured, light and dark. Returns what shows them in Markdown. */
export async function drawPictures(results: readonly SectionResult[]): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const shown: string[] = []
  for (const make of makers) {
    const picture = make(results)
    if (picture === undefined) continue
    const { name, title, description, widthPx, heightPx } = picture
    for (const scheme of ['light', 'dark'] as const) {
      const sheet = await openSheet(scheme, widthPx, heightPx)
      picture.draw(sheet)
      await writeFile(new URL(`${name}-${scheme}.svg`, folder), sheet.svg(title, description))
    }
    shown.push(markdownOf(name, `${title}. ${description}`, widthPx))
  }
  return shown
}

/** GitHub and browsers choose by the scheme that the reader has. */
function markdownOf(name: string, words: string, widthPx: number): string {
  const source = `<source media="(prefers-color-scheme: dark)" srcset="results/${name}-dark.svg">`
  return `<picture>${source}<img src="results/${name}-light.svg" width="${widthPx}" alt="${words.replaceAll('"', '&quot;')}"></picture>`
}
