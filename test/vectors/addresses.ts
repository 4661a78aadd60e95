import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const addressesPath = join(import.meta.dir, 'addresses.json')

interface AddressVectors {
  /** Every address here is written as the client writes it. */
  readonly vectors: readonly AddressVector[]
  /** Payloads that other form encoders write. */
  readonly otherSpellings: readonly AddressVector[]
}

export interface AddressVector {
  readonly name: string
  readonly secret: string
  readonly key: string
  readonly asset: string
  readonly ext: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly payload: string
  /** The text that is signed. */
  readonly text: string
  readonly sig: string
  readonly address: string
}

export const addressVectors: AddressVectors = JSON.parse(readFileSync(addressesPath, 'utf8'))
