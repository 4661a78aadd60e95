import { cleanPageText } from './clean-text.ts'

/**
 * Returns the text of a paragraph that says something about the page. Undefined for labels, menus and notices.
 * @param linkChars how many of its characters are links
 */
export function readableText(raw: string, linkChars: number): string | undefined {
  const text = cleanPageText(raw)
  // Scripts without spaces say more with fewer characters.
  const charsMin = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0eff]/.test(text) ? 20 : 40
  if (text.length < charsMin || linkChars > text.length / 2) return undefined
  return notices.some((notice) => notice.test(text)) ? undefined : text
}

/** Paragraphs that are on every page of a site. */
const notices: readonly RegExp[] = [
  /^\W{0,3}(?:©|\(c\)|copyright\b|all rights reserved)/iu,
  /[»›>→][^»›>→]{1,60}[»›>→]/u,
  /^.{0,40}\b(?:donat(?:e|ion)s?|subscri(?:be|ption)|sign (?:up|in)|log ?in|newsletter|abonnieren|spenden?|s'abonner|suscr[ií]b\w*)\b.{0,120}$/iu,
  /\b(?:uses?|using|accept|utilis\w+|verwende\w*|nutz\w+|usa(?:mos)?|utiliza\w*) .{0,40}\bcookies\b/iu,
  /^(?:received|accepted|submitted|revised|eingegangen|angenommen|reçu|recibido|ricevuto)\b.{0,40}\d{4}.{0,80}$/iu,
  /\b(?:enable|activate|activez|aktivieren|activa\w*|requires?) .{0,30}\b(?:javascript|cookies|flash)\b|\bjavascript .{0,40}\b(?:disabled|deaktiviert|désactivé)/iu,
  /^(?:by|von|par|por|di|door|av|af|written by|posted (?:by|on)|published|filed under|tags?|share|photo|foto|image|source|quelle)\b[:\s].{0,80}$/iu,
]
