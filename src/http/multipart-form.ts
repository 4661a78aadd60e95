import { Buffer } from 'node:buffer'
import type { UploadedFile } from '../brands/brand-form.ts'
import { Problem } from '../errors.ts'
import { readAll } from './request-checks.ts'

export interface MultipartLimits {
  readonly bytesMax: number
  readonly partsMax: number
  readonly textLengthMax: number
  readonly arrivalMsMax: number
}

export interface MultipartForm {
  /** The text fields, in their order. A field without a file, which browsers send as an empty one, is left out. */
  readonly fields: URLSearchParams
  readonly files: readonly (readonly [field: string, file: UploadedFile])[]
}

const fileNameLengthMax = 200

/**
 * Reads a form within hard bounds by the runtime's parser. Deno's takes a truncated body for a form without its last part,
 * and both take any number of parts, so these are checked first. @throws Problem `too_large` or `invalid_body`
 */
export async function readMultipartForm(request: Request, limits: MultipartLimits): Promise<MultipartForm> {
  const boundary = boundaryOf(request.headers.get('content-type') ?? '')
  const body = await readWithin(request, limits)
  checkParts(body, boundary, limits.partsMax)
  const parsed = await parse(body, boundary)
  const fields = new URLSearchParams()
  const files: [string, UploadedFile][] = []
  for (const [field, value] of parsed) {
    if (typeof value === 'string') fields.append(field, value)
    else {
      // Bun's file without a name has none at all.
      const { name = '', size }: { readonly name?: string; readonly size: number } = value
      if (size === 0 && name === '') continue
      const bytes = new Uint8Array(await value.arrayBuffer())
      files.push([field, { name: name.slice(0, fileNameLengthMax), bytes }])
    }
  }
  for (const [field, text] of fields) {
    if (field.length > limits.textLengthMax || text.length > limits.textLengthMax)
      throw new Problem('too_large', `A field of this form may have ${limits.textLengthMax} characters.`)
  }
  return { fields, files }
}

/** RFC 2046 allows 1 to 70 of these characters. */
const boundaryParameter =
  /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'+.-]{1,70}))\s*(?:;|$)/i

function boundaryOf(contentType: string): string {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType))
    throw new Problem('invalid_body', 'This form is sent as multipart/form-data.')
  const [, quoted, plain] = boundaryParameter.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined)
    throw new Problem('invalid_body', 'The Content-Type of the form names no valid boundary.')
  return boundary
}

async function readWithin({ body, headers }: Request, limits: MultipartLimits): Promise<Buffer<ArrayBuffer>> {
  const { bytesMax, arrivalMsMax } = limits
  function tooLarge(): Problem {
    return new Problem('too_large', `This form and its files together may have ${bytesMax / 2 ** 20} MiB.`)
  }
  const declared = Number(headers.get('content-length') ?? 0)
  if (declared > bytesMax) throw tooLarge()
  if (body === null) return Buffer.alloc(0)
  const reader = body.getReader()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    reader.cancel().catch(() => {})
  }, arrivalMsMax)
  try {
    const form = await readAll(reader, bytesMax, tooLarge, Math.max(64 * 1024, declared))
    if (isLate) throw cutShort()
    return form
  } finally {
    clearTimeout(timer)
  }
}

function checkParts(body: Buffer, boundary: string, partsMax: number): void {
  const delimiter = `--${boundary}`
  const end = body.lastIndexOf(`${delimiter}--`)
  const startsLine = end === 0 || (end > 1 && body.toString('latin1', end - 2, end) === '\r\n')
  if (!startsLine) throw cutShort()
  let count = 0
  for (let at = body.indexOf(delimiter); at !== -1 && at < end; at = body.indexOf(delimiter, at + 1)) {
    count += 1
    if (count > partsMax) throw new Problem('too_large', `This form may have ${partsMax} parts.`)
  }
}

async function parse(body: Buffer<ArrayBuffer>, boundary: string): Promise<FormData> {
  try {
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
    return await new Response(body, { headers }).formData()
  } catch (error) {
    throw new Problem('invalid_body', 'The form cannot be read as multipart/form-data.', { cause: error })
  }
}

function cutShort(): Problem {
  return new Problem('invalid_body', 'The form did not arrive completely. Send it again.')
}
