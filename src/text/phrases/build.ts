/** Writes `model.generated.ts` from BudouX's model of Japanese phrases: `bun src/text/phrases/build.ts`. */
import { writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { jaModel } from 'budoux'

const packed = brotliCompressSync(JSON.stringify(jaModel)).toString('base64')
await writeFile(
  new URL('model.generated.ts', import.meta.url),
  `/** Written by build.ts from BudouX, Copyright Google LLC, Apache License 2.0. Brotli of JSON, base64. */\nexport const packedModel =\n  '${packed}'\n`,
)
console.log(`${packed.length} characters`)
