import { cardTags } from './client.js'
import { readService } from './service.js'

export default function mintmark(eleventyConfig, given) {
  // Nunjucks marks keyword arguments by a member of their object.
  async function tags(title, { __keywords: _, ...parameters } = {}) {
    const { url, exp, ...pair } = readService(given)
    return cardTags(url, { title, ...parameters }, pair, { exp })
  }
  eleventyConfig.addAsyncShortcode('cardTags', tags)
}
