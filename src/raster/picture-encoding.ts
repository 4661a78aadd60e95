/** How pixels become a file. PNG keeps every pixel; `quality` is from 1 to 100. */
export type PictureEncoding =
  | { readonly format: 'png' }
  | { readonly format: 'jpeg' | 'webp'; readonly quality: number }
