import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts'

/** JSON in base64, as x402 headers carry it. */
export function encodeBase64Json(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

/** JSON in base64url without padding, as MPP headers carry it. */
export function encodeBase64UrlJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The object in a base64 or base64url header, or undefined when there is none. */
export function decodeBase64Object(text: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  return asObject(parseJson(Buffer.from(text, 'base64').toString('utf8')))
}

export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}
