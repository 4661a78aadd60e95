import { Buffer } from 'node:buffer'
import { readFileSync, writeFileSync } from 'node:fs'

const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd']

/** Typed here and imported by a variable, because the types of the package change those of arrays in all our files. */
interface Compiler {
  main(
    words: readonly string[],
    files: {
      readFile(name: string): string | null
      writeFile(name: string, content: string | Uint8Array): void
      listFiles(): readonly string[]
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>
}

const compilerModule: string = 'assemblyscript/asc'

/** Returns the text of `painter.generated.ts`. Sources end in `.as`, because TypeScript does not know their types. */
export async function compilePainter(): Promise<string> {
  const { default: asc }: { default: Compiler } = await import(compilerModule)
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

if (import.meta.main) writeFileSync(new URL('painter.generated.ts', import.meta.url), await compilePainter())
