import { Problem } from '../errors.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import type { RequestHead } from './request-head.ts'

const headBytesMax = 16 * 1024
const bodyBytesMax = 64 * 1024
/** The operator may revoke a thousand keys by one form. */
const formFieldsMax = 1_100

/**
 * Throws if the head or the declared body is too large. A body of undeclared length is measured while it is read.
 * @param handlerReadsBody the route's handler reads the body itself, within a limit of its own.
 */
export function checkSizes({ bytes, bodyBytes }: RequestHead, handlerReadsBody = false): void {
  if (bytes > headBytesMax) {
    throw new Problem('too_large', 'The URL and all headers together may have 16 KiB.', { status: 431 })
  }
  if (bodyBytes > bodyBytesMax && !handlerReadsBody) throw bodyTooLarge()
}

/**
 * Reads the whole body; undefined if there is none. Throws as soon as it is too large, and if its caller goes away before
 * its end.
 */
export async function readBody(
  request: Request,
  { bodyBytes }: Pick<RequestHead, 'bodyBytes'>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // A stream allocates 256 KiB for every body in Bun, and a hundred of them make the garbage collector run.
  if (bodyBytes > 0 && !request.headers.has('transfer-encoding'))
    return new Uint8Array(await request.arrayBuffer().catch(cutOff))
  return await inTurn(() => (request.body === null ? undefined : readStream(request.body)))
}

async function readStream(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let byteLength = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(cutOff)
    if (done) return new Uint8Array(Buffer.concat(chunks))
    byteLength += value.byteLength
    if (byteLength > bodyBytesMax) {
      reader.cancel().catch(() => {})
      throw bodyTooLarge()
    }
    chunks.push(value)
  }
}

/** Throws if the fields of a form are too many to be read in a moment. */
export function checkFields(body: Uint8Array, contentType: string | null): void {
  if (contentType !== null && hasNoFields.test(contentType)) return
  let count = 1
  for (let at = body.indexOf(ampersand); at !== -1; at = body.indexOf(ampersand, at + 1)) {
    count += 1
    if (count > formFieldsMax)
      throw new Problem('invalid_body', `A form may have ${formFieldsMax.toLocaleString('en')} fields.`)
  }
}

const ampersand = '&'.charCodeAt(0)

/** Bodies of any other type are read as forms. */
const hasNoFields = /json|^multipart\//i

/** Throws the problem of a body whose end never came. Nobody reads the response: its status is for the log. */
export function cutOff(cause: unknown): never {
  throw new Problem('invalid_body', 'The body was cut off.', { status: 499, cause })
}

function bodyTooLarge(): Problem {
  return new Problem('too_large', 'A body may have 64 KiB.')
}
