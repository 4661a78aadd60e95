import { expect, test } from 'bun:test'
import { crawlerOf, previewNetworks, readCrawler } from '../../src/access/crawlers.ts'
import cases from './crawlers.json'

test.each(cases)('tells who sends $userAgent', ({ userAgent, ...expected }) => {
  expect(crawlerOf(userAgent) as object).toEqual(expected)
})

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'

test.each([
  ['imessage', `${safari} facebookexternalhit/1.1 Facebot Twitterbot/1.0`],
  ['line', 'facebookexternalhit/1.1;line-poker/1.0'],
  ['facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  ['discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
  ['slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  ['slack', 'Slackbot 1.0 (+https://api.slack.com/robots)'],
  ['signal', 'WhatsApp/2'],
  ['whatsapp', 'WhatsApp/2.2437.2 i'],
  ['teams', `${chrome} Edg/134.0.0.0 MicrosoftPreview/2.0 +https://aka.ms/MicrosoftPreview`],
  ['bluesky', 'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)'],
  ['mastodon', 'http.rb/5.1.1 (Mastodon/4.2.1; +https://social.example/) Bot'],
  ['pinterest', 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)'],
  ['vk', 'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)'],
  ['github', 'github-camo (876de43e)'],
  ['gmail', 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
  ['other', 'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian'],
  ['other', 'ChatServer Link-Preview/0.1'],
])('takes for a preview of %s: %s', (network, userAgent) => {
  expect(readCrawler(userAgent) as object).toEqual({ network, isPreviewCrawler: true })
})

test.each([
  ['search', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
  ['search', 'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b'],
  ['search', 'Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)'],
  ['search', 'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)'],
  ['ai', 'meta-externalfetcher/1.1'],
  [
    'ai',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  ],
  ['ai', 'CCBot/2.0 (https://commoncrawl.org/faq/)'],
  [null, ''],
  [null, 'node'],
  [null, 'python-requests/2.32.3'],
  [null, `${phone} Instagram 300.0.0.11.109 (iPhone14,5; iOS 17_0)`],
  [null, `${phone} [FBAN/FBIOS;FBAV/400.0;FBDV/iPhone14,5]`],
  [null, `${phone} Safari Line/14.2.0`],
  [null, `${phone} KAKAOTALK/10.4.5`],
  [null, `${phone} Snapchat/12.0 (like Safari/8617)`],
  [null, `${phone} [Pinterest/iOS]`],
  [null, `${phone} [LinkedInApp]/9.30`],
  [null, `${phone} MicroMessenger/8.0.50 NetType/WIFI`],
  [null, `${chrome.replace('Chrome', 'Slack/4.39.95 Chrome')} Electron/30.0.9`],
  [null, `${chrome.replace('Chrome', 'discord/1.0.9040 Chrome')} Electron/28`],
  [null, 'Mastodon/2024.1 CFNetwork/1490.0.4 Darwin/23.2.0'],
  [
    null,
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36 YandexSearch/24.10',
  ],
])('takes for no preview, but for %s: %s', (network, userAgent) => {
  expect(readCrawler(userAgent) as object).toEqual({ network, isPreviewCrawler: false })
})

test('a crawler that is not at the beginning of a long text is nobody', () => {
  expect(readCrawler(`${'x'.repeat(16_384)} Twitterbot/1.0`).isPreviewCrawler).toBe(false)
})

test('every network of previews has one name', () => {
  expect(new Set(previewNetworks).size).toBe(previewNetworks.length)
  expect(previewNetworks).not.toContain('search' as never)
})
