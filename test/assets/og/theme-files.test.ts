import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { cardSizes, sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { layoutOf } from '../../../src/assets/og/engine/compile-layout.ts'
import { layoutSchema, type ThemeFile } from '../../../src/assets/og/engine/theme-file.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'

for (const name of themeNames)
  test(`the layouts in the file of ${name} are complete, with every variant, and name nothing unknown`, async () => {
    const url = new URL(`../../../src/assets/og/themes/${name}.json`, import.meta.url)
    const file: ThemeFile = await Bun.file(url).json()
    const faults: string[] = []
    for (const sizeName of sizeNames)
      for (const share of [1, 0.6])
        for (const align of [undefined, 'start', 'center'] as const) {
          const size = cardSizes[sizeName]
          const part = { ...size, heightPx: Math.round(size.heightPx * share) }
          const layout = layoutOf(file, part, { align })
          const [mistake] = Value.Errors(layoutSchema, layout)
          const unknown = Object.keys(layout).filter(
            (key) => !(key in layoutSchema.properties) && key !== 'like',
          )
          if (mistake !== undefined || unknown.length > 0)
            faults.push(`${sizeName} ${align}: ${mistake?.path} ${mistake?.message} ${unknown.join()}`)
        }
    expect(faults).toEqual([])
  })
