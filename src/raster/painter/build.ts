/** Writes `painter.generated.ts` from the AssemblyScript in `assembly`: `bun src/raster/painter/build.ts`. */
import { writeFileSync } from 'node:fs'
import { compilePainter } from './compile-painter.ts'

writeFileSync(new URL('painter.generated.ts', import.meta.url), await compilePainter())
