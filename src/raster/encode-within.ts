/** The largest file that networks take for a picture in a link, in bytes. */
export const networkBytesMax = 600_000

/** Encodings of one picture beside the last, which is taken when none of these is small enough. */
const triesMax = 4

/**
 * Encodes by the first setting, or by the best one of which the file is not too large: a guess by the size of the last
 * file, four times at most, then the last setting. `size` is how large a file is with a setting beside the others, about.
 */
export async function encodeWithin<Setting extends { readonly size: number }>(
  settings: readonly Setting[],
  encode: (setting: Setting) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
  bytesMax = networkBytesMax,
): Promise<Uint8Array<ArrayBuffer>> {
  let index = 0
  const last = settings.length - 1
  for (let tries = 1; ; tries++) {
    const setting = settings[index] as Setting
    const bytes = await encode(setting)
    if (bytes.byteLength <= bytesMax || index === last) return bytes
    const goal = setting.size * (bytesMax / bytes.byteLength) * 0.97
    const next = settings.findIndex(({ size }, place) => place > index && size <= goal)
    index = next < 0 || tries === triesMax ? last : next
  }
}
