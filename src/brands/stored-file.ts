import { createHash } from 'node:crypto'
import type { BrandPicture } from '../assets/og/brand/brand-picture.ts'
import type { CardLogo } from '../assets/og/brand/card-logo.ts'
import type { BrandFileRow } from '../store/brands.ts'
import type { BrandFont } from '../text/brand-fonts/brand-font.ts'
import type { FileContent } from './brand-form.ts'

const shapes = 'application/json'

/** A file as the store keeps it: under the SHA-256 of all that is kept. */
export function storedFile(content: FileContent): BrandFileRow {
  const { mediaType, facts, bytes } = partsOf(content)
  const text = JSON.stringify(facts)
  const hash = createHash('sha256').update(`${mediaType}\n${text}\n`).update(bytes)
  return { sha256: hash.digest('hex'), mediaType, facts: text, bytes }
}

interface FileParts {
  readonly mediaType: string
  /** All but the bytes. */
  readonly facts: object
  readonly bytes: Uint8Array
}

function partsOf(content: FileContent): FileParts {
  switch (content.kind) {
    case 'font': {
      const { bytes, ...facts } = content.font
      return { mediaType: 'font/sfnt', facts, bytes }
    }
    case 'picture': {
      const { jpeg, ...facts } = content.picture
      return { mediaType: 'image/jpeg', facts, bytes: jpeg }
    }
    case 'logo':
      return logoParts(content.logo)
  }
}

function logoParts(logo: CardLogo): FileParts {
  if (logo.kind === 'pixels') {
    const { png, ...facts } = logo
    return { mediaType: 'image/png', facts, bytes: png }
  }
  return { mediaType: shapes, facts: {}, bytes: new TextEncoder().encode(JSON.stringify(logo)) }
}

/** Reads a stored file. The store holds only files that `storedFile` made, so their form is not checked again. */
export function fileContent({ mediaType, facts: text, bytes: stored }: BrandFileRow): FileContent {
  const facts: unknown = JSON.parse(text)
  const bytes = ownBytes(stored)
  switch (mediaType) {
    case 'image/jpeg':
      return {
        kind: 'picture',
        picture: { ...(facts as Omit<BrandPicture, 'focus' | 'jpeg'>), jpeg: bytes },
      }
    case 'image/png':
      return {
        kind: 'logo',
        logo: { ...(facts as Omit<Extract<CardLogo, { kind: 'pixels' }>, 'png'>), png: bytes },
      }
    case shapes:
      return { kind: 'logo', logo: JSON.parse(new TextDecoder().decode(bytes)) as CardLogo }
    default:
      return { kind: 'font', font: { ...(facts as Omit<BrandFont, 'bytes'>), bytes } }
  }
}

/** The bytes with a buffer of their own. A driver may return a part of what it received. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
