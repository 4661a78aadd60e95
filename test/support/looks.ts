import type { Page } from 'playwright-core'

/** The widths and colour schemes that every page is looked at in: a phone, a tablet, a desk; light and dark. */
export const looks = [390, 768, 1360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

/** Every width between a small phone and a desk at which a layout may change, in light alone. */
export const widths = Array.from({ length: 27 }, (_, index) => 320 + 40 * index).map((width) => ({
  width,
  colorScheme: 'light' as const,
}))

export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

/** The results of `findFaults` by page and look, without those that found nothing. */
export async function faultsInLooks(
  page: Page,
  pages: Readonly<Record<string, string>>,
  findFaults: (page: Page) => Promise<readonly string[]>,
  wanted: readonly Look[] = looks,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const faults: Record<string, readonly string[]> = {}
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(address)
    for (const { width, colorScheme } of wanted) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found = await findFaults(page)
      if (found.length > 0) faults[`${name}, ${width} px, ${colorScheme}`] = found
    }
  }
  return faults
}
