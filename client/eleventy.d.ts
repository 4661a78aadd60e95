import type { CardParameters } from './client.js'
import type { Service } from './service.js'

/**
 * Eleventy's plugin: the shortcode `{% cardTags title, card %}` gives a page's share card for its `<head>`. `card` is an
 * object with further parameters, for example from the front matter.
 */
export default function mintmark(eleventyConfig: EleventyConfig, service?: Service): void

/** What the plugin uses of Eleventy's configuration. */
interface EleventyConfig {
  addAsyncShortcode(
    name: string,
    callback: (title: string, parameters?: Partial<CardParameters>) => Promise<string>,
  ): unknown
}
