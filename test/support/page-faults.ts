import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { layoutFaults } from './layout-faults.ts'

/** Faults of the open page: violations that axe finds, and those of the layout. */
export async function pageFaults(page: Page): Promise<readonly string[]> {
  return [...(await axeViolations(page)), ...(await layoutFaults(page))]
}

async function axeViolations(page: Page): Promise<readonly string[]> {
  // Half a megabyte of script, which stays as long as the page is open.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
  })
}
