import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilePainter } from '../../src/raster/painter/build.ts'

test('the WebAssembly that paints is what its sources are compiled to', async () => {
  const path = join(import.meta.dir, '../../src/raster/painter/painter.generated.ts')
  expect(readFileSync(path, 'utf8')).toBe(await compilePainter())
})
