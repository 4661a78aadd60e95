import { Buffer } from 'node:buffer'
import { painterWasm } from './painter.generated.ts'

/** Addresses are plain numbers. `assembly` says what each function does. */
interface Painter {
  readonly memory: WebAssembly.Memory
  startCanvas(widthPx: number, heightPx: number, channels: number): void
  packRgba(): void
  joinPairsOfRows(): void
  startBackdrop(): void
  endBackdrop(): void
  uncover(y: number, from: number, to: number): void
  coverAll(): void
  takeInput(bytes: number): number
  placeOutline(x: number, y: number, scaleX: number, scaleY: number): void
  addOutline(at: number, count: number): void
  fillEdges(color: number, opacity: number): void
  countUncovered(): number
  numberUncovered(numberOf: number): void
  filterRows(): number
  writeWebp(rows: number, widthPx: number, heightPx: number, colors: number, colorCount: number): number
  webpAt(): number
  rowsAt(): number
  numbersAt(): number
  colorsAt(): number
  valuesAt(): number
  countsAt(): number
}

let loaded: Painter | undefined

/**
 * Loops over pixels, edges and bytes as WebAssembly: a fresh process runs it almost at full speed from the first card on, where
 * JavaScript is interpreted and then compiled three times over.
 */
export function painter(): Painter {
  if (loaded) return loaded
  const module = new WebAssembly.Module(Buffer.from(painterWasm, 'base64'))
  loaded = new WebAssembly.Instance(module).exports as unknown as Painter
  return loaded
}
