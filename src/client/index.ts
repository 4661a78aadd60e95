// First, because the bundle is smaller in this order.
import './embed-url.ts'
import './sign-url.ts'

export { cardImage, cardTags } from './card-tags.ts'
export { embedUrl } from './embed-url.ts'
export { signUrl } from './sign-url.ts'
export type * from './types.ts'
