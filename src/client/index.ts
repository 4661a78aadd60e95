export { type EmbedOptions, type EmbedParameters, embedUrl } from './embed-url.ts'
export type { KeyPair } from './hmac.ts'
export { type SignOptions, signUrl } from './sign-url.ts'
