import { createTwoGenerationCache } from '../lib/byte-cache.ts'

/** The sender by its User-Agent. Any client can send any User-Agent. */
export interface Crawler {
  readonly network: Network | null
  /** It fetches pages and pictures for link previews, or passes pictures on for people who look at them. */
  readonly isPreviewCrawler: boolean
}

export type Network = (typeof rows)[number][0]

/** No crawler says its name later than this, and hostile texts are longer. */
const readCharsMax = 512

/**
 * The first row that fits counts, so crawlers that also claim another network's name come first. Apps show pages to people
 * under similar names (`Instagram 300`, `Snapchat/12`, `Slack/4 … Electron/30`), so a row names the crawler.
 */
const rows = [
  // Robots that index or train, and programs that answer one person's question: none of them shows a card.
  [
    'ai',
    /gptbot|chatgpt-user|oai-searchbot|claude-?(?:bot|user|searchbot|web)|anthropic|perplexity|meta-(?:external|webindexer)|facebookbot|google-(?:extended|cloudvertexbot|notebooklm|agent)|gemini-deep|ccbot|bytespider|amazonbot|amzn-|novaact|cohere-|diffbot|mistralai|duckassist|youbot|ai2bot|timpibot|imagesift|img2dataset|omgili|applebot-extended|grokbot|xai-|deepseek|pangubot|iaskspider|friendlycrawler|webzio/i,
  ],
  [
    'search',
    /google(?:bot|other|producer|-inspectiontool|-site-verification|-safety|-structured-data)|(?:adsbot|storebot|mediapartners|apis|feedfetcher)-google|google[ -]web[ -]preview|bing(?:bot|preview|videopreview)|msnbot|adidxbot|duckduckbot|duckduckgo-favicons|yandex(?:[a-z]*bot|images|imageresizer|video|media|favicons|webmaster|direct|metrika|\/)|baiduspider|sogou[a-z ]{0,16}spider|(?:360|haosou|yisou|line)spider|petalbot|seznambot|\byeti\/|naverbot|daumoa|applebot|slurp|qwant(?:ify|bot)|exabot|mojeekbot|coccocbot|bravebot|kagibot|mail\.ru_bot|yacybot|seekport/i,
  ],
  ['imessage', /facebot[ ,;]+twitterbot/i],
  ['kakaotalk', /kakaotalk-scrap|kakaostory-og/i],
  ['line', /line-poker/i],
  ['telegram', /telegrambot/i],
  ['facebook', /facebookexternalhit|facebot|facebookcatalog|facebookplatform/i],
  ['odnoklassniki', /odklbot/i],
  ['x', /twitterbot/i],
  ['linkedin', /linkedinbot/i],
  ['slack', /slackbot|slack-(?:imgproxy|linkexpanding)/i],
  ['discord', /discordbot/i],
  // Signal's apps fetch previews themselves, under the name of another network.
  ['signal', /^whatsapp\/2$/i],
  ['whatsapp', /^whatsapp\//i],
  ['teams', /skypeuripreview|microsoftpreview/i],
  ['reddit', /redditbot/i],
  ['pinterest', /pinterestbot|^pinterest\//i],
  ['bluesky', /bluesky cardyb|bsky\.app/i],
  ['threads', /threadsbot/i],
  // The app for phones is `Mastodon/… CFNetwork/…`, without the address of a server.
  ['mastodon', /mastodon\/[^ ();]{1,60};? \((?:http\.rb|\+?https?:)|\(mastodon\//i],
  ['lemmy', /^lemmy\//i],
  ['misskey', /^misskey\/|summalybot/i],
  ['pleroma', /^(?:pleroma|akkoma) /i],
  ['friendica', /^friendica /i],
  ['pixelfed', /^\(?pixelfed\//i],
  ['matrix', /^synapse(?:\/| \(bot)|matrix-media-repo|matrix-bot|^(?:dendrite|conduit|conduwuit|tuwunel)\b/i],
  ['zulip', /zulipurlpreview/i],
  ['mattermost', /mattermost-bot/i],
  ['rocket.chat', /^rocket\.?chat\b/i],
  ['nextcloud', /^nextcloud\b/i],
  ['zoom', /zoombot/i],
  ['snapchat', /snap url preview/i],
  ['viber', /^viber\b/i],
  ['vk', /vkshare/i],
  ['tumblr', /^tumblr\/[\d.]+$/i],
  ['tiktok', /tiktokspider/i],
  ['dingtalk', /dingtalkbot/i],
  ['naver', /blueno\/|naver\.me\/scrap/i],
  ['hatena', /hatena(?:bookmark|::)/i],
  ['flipboard', /flipboardproxy/i],
  ['quora', /quora link preview/i],
  ['xing', /xing-contenttabreceiver/i],
  ['notion', /notionembedder/i],
  ['asana', /^asana\//i],
  ['github', /github-camo/i],
  ['gmail', /googleimageproxy/i],
  ['yahoo', /yahoomailproxy/i],
  ['google', /google-pagerenderer/i],
  // Services that make previews for others, and the words by which most programs of the kind call themselves.
  [
    'other',
    /embedly|iframely|microlink|opengraph|oembed|unfurl|camo asset proxy|bitlybot|metainspector|hubspot page fetcher|(?:link|url|uri|site|page|card)s?[-_ ]?(?:preview|expand|embed)|preview[-_ ]?(?:bot|crawler|fetcher|service|generator)|(?:image|img|mail|media)[-_ ]?proxy/i,
  ],
] as const

const indexers: ReadonlySet<string> = new Set(['ai', 'search'])

const nobody: Crawler = { network: null, isPreviewCrawler: false }

const crawlers = new Map(
  rows.map(([network]) => [network, { network, isPreviewCrawler: !indexers.has(network) }]),
)

export const previewNetworks: readonly Network[] = rows
  .map(([network]) => network)
  .filter((network) => !indexers.has(network))

export function readCrawler(userAgent: string): Crawler {
  const text = userAgent.slice(0, readCharsMax)
  for (const [network, pattern] of rows) if (pattern.test(text)) return crawlers.get(network) ?? nobody
  return nobody
}

/** Enough for a thousand User-Agents of usual length. */
const cacheBytesMax = 512 * 2 ** 10

const cached = createTwoGenerationCache<Crawler>(cacheBytesMax, (_, userAgent) => 100 + 2 * userAgent.length)

/** Returns who sends a User-Agent, which is read once as long as it comes again. */
export function crawlerOf(userAgent: string): Crawler {
  const known = cached.get(userAgent)
  if (known !== undefined) return known
  const crawler = readCrawler(userAgent)
  // A longer text is nobody's: reading it again costs less than its memory.
  if (userAgent.length <= readCharsMax) cached.set(userAgent, crawler)
  return crawler
}

/** Browsers by a word of their User-Agents. The first that fits counts: most claim to be others too. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const productName = /^[A-Za-z][\w.-]{0,23}(?=\/|$)/
const families = createTwoGenerationCache<string>(
  64 * 2 ** 10,
  (family, text) => 100 + 2 * (family.length + text.length),
)

/** The kind of program that sends a User-Agent: a network of `crawlers.ts`, a browser, or a program's name, never more. */
export function agentFamily(userAgent: string | null): string {
  if (userAgent === null) return ''
  const known = families.get(userAgent)
  if (known !== undefined) return known
  const family = readFamily(userAgent.slice(0, readCharsMax))
  if (userAgent.length <= readCharsMax) families.set(userAgent, family)
  return family
}

function readFamily(text: string): string {
  const { network } = readCrawler(text)
  if (network !== null) return network
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0]
  return browser ?? productName.exec(text)?.[0] ?? 'Other'
}
