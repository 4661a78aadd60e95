import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What is wrong with the page that is open: rules that axe finds broken, and how far it is wider than the screen. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
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
