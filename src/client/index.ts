export { embedUrl } from './embed-url.ts'
export { signUrl } from './sign-url.ts'
export { cardImage, cardTags } from './card-tags.ts'
export type * from './types.ts'
