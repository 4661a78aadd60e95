import type { Generator } from './generator.ts'
import { astro } from './generators/astro.ts'
import { docusaurus } from './generators/docusaurus.ts'
import { eleventy } from './generators/eleventy.ts'
import { gatsby } from './generators/gatsby.ts'
import { hugo } from './generators/hugo.ts'
import { jekyll } from './generators/jekyll.ts'
import { mkdocs } from './generators/mkdocs.ts'
import { next } from './generators/next.ts'
import { nuxt } from './generators/nuxt.ts'
import { starlight } from './generators/starlight.ts'
import { sveltekit } from './generators/sveltekit.ts'
import { vitepress } from './generators/vitepress.ts'

/** Every generator by the name of its fixture. */
export const generators: Readonly<Record<string, Generator>> = {
  astro,
  docusaurus,
  eleventy,
  gatsby,
  hugo,
  jekyll,
  mkdocs,
  next,
  nuxt,
  starlight,
  sveltekit,
  vitepress,
}
