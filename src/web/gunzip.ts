import { createDecoders } from './content-decoders.ts'
import { FetchFailure } from './fetch-failure.ts'

/** Returns the content of a gzip file. Rejects with FetchFailure `decode_error` if the file is no gzip, is cut or holds more than `bytesMax`. */
export function gunzip(file: Uint8Array, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const [decoder] = createDecoders('gzip')
    if (decoder === undefined) return
    const { stream } = decoder
    const chunks: Uint8Array[] = []
    let byteLength = 0
    function fail() {
      stream.destroy()
      reject(new FetchFailure('decode_error'))
    }
    stream.on('data', (chunk: Uint8Array) => {
      byteLength += chunk.length
      chunks.push(chunk)
      if (byteLength > bytesMax) fail()
    })
    stream.on('error', fail)
    stream.on('end', () => (decoder.isCut() ? fail() : resolve(Buffer.concat(chunks))))
    stream.end(file)
  })
}
