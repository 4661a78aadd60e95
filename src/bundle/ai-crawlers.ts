/** What a site may say to the crawlers of AI companies. */
export type AiPolicy = 'allow' | 'deny' | 'train-deny'

/** Product tokens of crawlers that gather text to train models on. */
export const TRAINING_CRAWLERS: readonly string[] = [
  'AI2Bot',
  'Amazonbot',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'Diffbot',
  'FacebookBot',
  'GPTBot',
  'Google-Extended',
  'Meta-ExternalAgent',
  'Timpibot',
  'anthropic-ai',
  'cohere-ai',
  'cohere-training-data-crawler',
  'omgili',
]

/** Product tokens of crawlers that look pages up to answer somebody's question. */
export const ANSWERING_CRAWLERS: readonly string[] = [
  'ChatGPT-User',
  'Claude-SearchBot',
  'Claude-User',
  'DuckAssistBot',
  'Meta-ExternalFetcher',
  'MistralAI-User',
  'OAI-SearchBot',
  'Perplexity-User',
  'PerplexityBot',
  'YouBot',
]

export const deniedCrawlers = (policy: AiPolicy): readonly string[] => {
  if (policy === 'allow') return []
  return policy === 'deny' ? [...TRAINING_CRAWLERS, ...ANSWERING_CRAWLERS] : TRAINING_CRAWLERS
}
