import type { UploadReaders } from './read-uploads.ts'

/**
 * Reads each upload once for as long as somebody holds its bytes: a form that is previewed again and again brings the same
 * files each time.
 */
export function cacheReaders(readers: UploadReaders): UploadReaders {
  return {
    ...readers,
    logo: cached(readers.logo),
    font: cached(readers.font),
    picture: cached(readers.picture),
  }
}

function cached<Content extends object>(read: (bytes: Uint8Array<ArrayBuffer>) => Promise<Content>) {
  const contents = new WeakMap<Uint8Array, Promise<Content>>()
  return (bytes: Uint8Array<ArrayBuffer>): Promise<Content> => {
    const cachedReading = contents.get(bytes)
    if (cachedReading !== undefined) return cachedReading
    const reading = read(bytes)
    contents.set(bytes, reading)
    // A refusal is not cached, because the server may only have been busy.
    reading.then(
      (content) => 'refused' in content && contents.delete(bytes),
      () => contents.delete(bytes),
    )
    return reading
  }
}
