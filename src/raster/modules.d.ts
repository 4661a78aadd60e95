/** Modules that bring no types, as far as we use them. */

declare module '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs' {
  interface Frame {
    readonly width: number
    readonly height: number
    readonly bitsPerSample: number
    readonly componentCount: number
    readonly isSigned: boolean
  }
  interface Encoder {
    /** The memory that the frame is read from, valid until the next call. */
    getDecodedBuffer(frame: Frame): Uint8Array
    setProgressive(isProgressive: boolean): void
    /** 0 is 4:4:4, 1 is 4:2:2, 2 is 4:2:0. */
    setSubSampling(subSampling: number): void
    setQuality(quality: number): void
    encode(): void
    /** A view of memory that `delete` frees. */
    getEncodedBuffer(): Uint8Array
    delete(): void
  }
  export default function start(options: {
    readonly wasmBinary: Uint8Array
  }): Promise<{ readonly JPEGEncoder: new () => Encoder }>
}
