/** Names that are not spelt like other words. */
const labels: Readonly<Record<string, string>> = {
  dingtalk: 'DingTalk',
  github: 'GitHub',
  google: 'Google Messages',
  imessage: 'iMessage',
  kakaotalk: 'KakaoTalk',
  line: 'LINE',
  linkedin: 'LinkedIn',
  other: 'Other programs',
  'rocket.chat': 'Rocket.Chat',
  tiktok: 'TikTok',
  vk: 'VK',
  whatsapp: 'WhatsApp',
}

/** Returns the name of a network as people write it. */
export function networkLabel(network: string): string {
  return labels[network] ?? network.charAt(0).toUpperCase() + network.slice(1)
}
