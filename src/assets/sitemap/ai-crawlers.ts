import { words } from '../../lib/words.ts'

/** Which crawlers of AI companies a robots.txt denies: none, all, or those that train models. */
export type AiPolicy = 'allow' | 'deny' | 'train-deny'

/** Product tokens of crawlers that gather text to train models on. */
export const trainingCrawlers: readonly string[] = words(`
  AI2Bot Amazonbot Applebot-Extended Bytespider CCBot ClaudeBot Diffbot FacebookBot GPTBot Google-Extended
  Meta-ExternalAgent Timpibot anthropic-ai cohere-ai cohere-training-data-crawler omgili
`)

/** Product tokens of crawlers that fetch pages to answer a question of a user. */
export const answeringCrawlers: readonly string[] = words(`
  ChatGPT-User Claude-SearchBot Claude-User DuckAssistBot Meta-ExternalFetcher MistralAI-User OAI-SearchBot
  Perplexity-User PerplexityBot YouBot
`)

export function deniedCrawlers(policy: AiPolicy): readonly string[] {
  if (policy === 'allow') return []
  return policy === 'deny' ? [...trainingCrawlers, ...answeringCrawlers] : trainingCrawlers
}
