import { cardTags } from './client.js'
import { readService } from './service.js'

export default function mintmark(eleventyConfig, given) {
  // Nunjucks marks keyword arguments by a member of their object.
  async function tags(title, { __keywords: _, ...parameters } = {}) {
    const { url, pair, options } = readService(given)
    return cardTags(url, { title, ...parameters }, pair, options)
  }
  eleventyConfig.addAsyncShortcode('cardTags', tags)
}
