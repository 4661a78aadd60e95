import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import asc from 'assemblyscript/asc'

const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd']

/** Returns the text of `painter.generated.ts`. Sources end in `.as`, because TypeScript does not know their types. */
export async function compilePainter(): Promise<string> {
  let wasm: Uint8Array = new Uint8Array(0)
  const { error, stderr } = await asc.main(['painter.ts', ...options, '--outFile', 'painter.wasm'], {
    readFile(name) {
      const source = new URL(`assembly/${name.replace(/\.ts$/, '.as')}`, import.meta.url)
      try {
        return readFileSync(source, 'utf8')
      } catch {
        return null
      }
    },
    writeFile(_, content) {
      wasm = Buffer.from(content)
    },
    listFiles: () => [],
  })
  if (error) throw new Error(stderr.toString())
  const text = Buffer.from(wasm).toString('base64')
  return `/** Written by build.ts from the sources in assembly: WebAssembly, base64. */\nexport const painterWasm =\n  '${text}'\n`
}
