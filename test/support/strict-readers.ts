import sharp from 'sharp'

/** A picture as somebody else's reader gives it. */
export interface ReadPicture {
  /** Such as `png`. */
  readonly format: string
  readonly widthPx: number
  readonly heightPx: number
  /** Straight RGBA, row by row. */
  readonly rgba: Uint8Array
}

/**
 * Reads a picture by libpng, libjpeg-turbo, libwebp or librsvg, in the libraries of sharp.
 * @throws Error for a file of which any of them as much as warns
 */
export async function readPicture(file: Uint8Array): Promise<ReadPicture> {
  const image = sharp(file, { failOn: 'warning' })
  const { format } = await image.metadata()
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { format, widthPx: info.width, heightPx: info.height, rgba: new Uint8Array(data) }
}

/** Gives a file to a command's standard input. Returns what it prints. */
export async function readBy(command: readonly string[], file: Uint8Array): Promise<Buffer> {
  const reader = Bun.spawn([...command], { stdin: file, stdout: 'pipe', stderr: 'pipe' })
  const [printed, complaints] = await Promise.all([
    new Response(reader.stdout).arrayBuffer(),
    new Response(reader.stderr).text(),
  ])
  if ((await reader.exited) !== 0 || complaints !== '') throw new Error(`${command[0]}: ${complaints}`)
  return Buffer.from(printed)
}
