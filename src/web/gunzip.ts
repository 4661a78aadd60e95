import { createDecoders } from './content-decoders.ts'
import { FetchFailure } from './fetch-failure.ts'

/** What a gzip file holds. @throws FetchFailure `decode_error` when it is none, is cut or holds more than so many bytes */
export function gunzip(file: Uint8Array, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const [decoder] = createDecoders('gzip')
    if (decoder === undefined) return
    const { stream, isCut } = decoder
    const pieces: Uint8Array[] = []
    let byteLength = 0
    function fail() {
      stream.destroy()
      reject(new FetchFailure('decode_error'))
    }
    stream.on('data', (piece: Uint8Array) => {
      byteLength += piece.length
      pieces.push(piece)
      if (byteLength > bytesMax) fail()
    })
    stream.on('error', fail)
    stream.on('end', () => (isCut() ? fail() : resolve(Buffer.concat(pieces))))
    stream.end(file)
  })
}
