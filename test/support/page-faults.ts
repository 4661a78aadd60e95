import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Faults of the open page: violations that axe finds, and the pixels by which it is wider than the screen. */
export async function pageFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    const excess = document.documentElement.scrollWidth - window.innerWidth
    return [
      ...violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      ),
      ...(excess > 0 ? [`${excess} px too wide`] : []),
    ]
  })
}
