import { letters } from '../preview/site-identity.ts'
import type { ReadPage } from '../sitemap/page-body.ts'

/** Whether a page that came with a good status says that there was an error, or that nobody may see it. */
export function isErrorPage({ parsed, outline }: ReadPage): boolean {
  const { title } = parsed.fields
  if (title === null || outline.textChars > charsMax) return false
  return [title, ...title.split(besideSite)].some((part) => isErrorTitle(part))
}

/** Stands between a title and the name of its site. A colon does not: what follows it goes on with the title. */
const besideSite = /\s[-–—·•|]\s|\|/

/** An article on errors is longer. */
const charsMax = 1_500

function isErrorTitle(text: string): boolean {
  const key = letters(text.replace(statusCode, ''))
  return errorTitles.has(key) || (key === '' && /\d/.test(text))
}

/** `404`, `Error 404:`, `HTTP 503 -` */
const statusCode = /\b(?:(?:http|status)\s*)?(?:error\s*|fehler\s*|erreur\s*)?(?:code\s*)?[45]\d\d\b/gi

const errorTitles: ReadonlySet<string> = new Set(
  [
    'Just a moment',
    'One moment, please',
    'Please wait',
    'Attention Required!',
    'Access denied',
    'Access to this page has been denied',
    'Forbidden',
    'Unauthorized',
    'Error',
    'An error occurred',
    'Something went wrong',
    'Oops',
    'Not found',
    'Page not found',
    'The page cannot be found',
    'File or directory not found',
    'Bad request',
    'Bad gateway',
    'Gateway timeout',
    'Gateway time-out',
    'Internal server error',
    'Server error',
    'Service unavailable',
    'Service temporarily unavailable',
    'Temporarily unavailable',
    'Site maintenance',
    'Under maintenance',
    'Maintenance mode',
    'Too many requests',
    'Robot check',
    'Robot or human?',
    'Are you a robot?',
    'Are you human?',
    'Captcha',
    'Security check',
    'Security verification',
    'Human verification',
    'Verify you are human',
    'Verifying you are human',
    'Checking your browser',
    'DDoS-Guard',
    'Vercel Security Checkpoint',
    'Request rejected',
    'The requested URL was rejected',
    'Pardon our interruption',
    'Seite nicht gefunden',
    'Nicht gefunden',
    'Zugriff verweigert',
    'Page introuvable',
    'Page non trouvée',
    'Accès refusé',
    'Página no encontrada',
    'Acceso denegado',
    'Página não encontrada',
    'Pagina non trovata',
    'Pagina niet gevonden',
    'Nie znaleziono strony',
    'Страница не найдена',
    'Доступ запрещён',
    'ページが見つかりません',
    '页面不存在',
    '页面未找到',
    '找不到页面',
    '페이지를 찾을 수 없습니다',
    'الصفحة غير موجودة',
  ].map(letters),
)
