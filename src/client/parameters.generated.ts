// Written by `bun run build:client` from the catalog.

/** The parameters of `/api/og`. */
export interface OgParameters {
  /** The headline of the card. */
  readonly title: string | number
  /** A short line above the title: a category, a series, a version. */
  readonly eyebrow?: string | number | undefined
  /** A line below the title. */
  readonly subtitle?: string | number | undefined
  /** The author, or several with commas between them. */
  readonly author?: string | number | undefined
  /** The address of the page; the card shows its domain. */
  readonly url?: string | number | undefined
  /** The subject of the card; each but the first has parameters of its own. */
  readonly template?: 'standard' | 'article' | 'release' | 'quote' | 'code' | 'event' | 'stats' | 'profile' | 'photo' | undefined
  /** The author’s face: an https URL, not with demo=1, or data:image/…;base64, of at most 8 KiB; jpeg, png and webp (article, quote, profile). */
  readonly face?: string | undefined
  /** The work of the person, below the name (article, quote, profile). */
  readonly role?: string | number | undefined
  /** The day of the event, or day and time with the offset of its zone (article, release, event). */
  readonly date?: string | undefined
  /** The reading time in minutes (article). */
  readonly minutes?: number | `${number}` | undefined
  /** The version, the largest text of the card (release). */
  readonly version?: string | number | undefined
  /** The news: up to 3 items with a bar between them (release). */
  readonly items?: string | undefined
  /** The code, drawn as it is written; tabs become two spaces (code). */
  readonly code?: string | undefined
  /** The language of the code, by its name or a short one such as js (code). */
  readonly language?: 'javascript' | 'typescript' | 'python' | 'java' | 'c' | 'cpp' | 'csharp' | 'go' | 'rust' | 'ruby' | 'php' | 'swift' | 'kotlin' | 'sql' | 'shell' | 'html' | 'css' | 'json' | 'yaml' | 'diff' | 'js' | 'jsx' | 'ts' | 'tsx' | 'py' | 'rb' | 'rs' | 'cs' | 'kt' | 'sh' | 'bash' | 'yml' | undefined
  /** The name of the file, at the foot of the card (code). */
  readonly file?: string | number | undefined
  /** The place of the event (event). */
  readonly place?: string | number | undefined
  /** The end of the event, at most 366 days later (event). */
  readonly until?: string | undefined
  /** One to three values with a bar between them, each with its label behind a space (stats, profile). */
  readonly stats?: string | undefined
  /** A title or subtitle over its limit: an error, or fitted and then cut with an ellipsis. */
  readonly overflow?: 'error' | 'ellipsis' | undefined
  /** The theme. */
  readonly theme?: 'aurora' | 'paper' | 'grid' | 'poster' | 'terminal' | 'plain' | undefined
  /** The colour scheme; every theme has both. */
  readonly scheme?: 'light' | 'dark' | undefined
  /** The size of the card: og 1200×630, github 1280×640, x 1600×900, square 1080×1080, portrait 1080×1350, pin 1000×1500. */
  readonly size?: 'og' | 'github' | 'x' | 'square' | 'portrait' | 'pin' | undefined
  /** Where texts, labels and logo stand: at the side where the language starts, or about the middle, on a wide card within its middle square. */
  readonly align?: 'start' | 'center' | undefined
  /** The accent colour, adjusted for contrast. */
  readonly accent?: string | undefined
  /** A mark on the card, kept readable on its background: the name of an icon of Simple Icons, or data:image/…;base64, (svg+xml, png, jpeg, webp) of at most 8 KiB; logos are trademarks of their owners. */
  readonly logo?: string | undefined
  /** The brand whose colours, logo, fonts and picture the card has; slug is its newest revision, slug@3 always the third. */
  readonly brand?: string | undefined
  /** The language: chooses Han forms and casing. */
  readonly lang?: string | undefined
  /** The response format; json says how the card is laid out: lines, sizes, and what is cut. */
  readonly format?: 'svg' | 'png' | 'jpeg' | 'webp' | 'json' | undefined
  /** The quality of a JPEG or WebP, lowered if the file would have more than 600,000 bytes; from 90, a JPEG keeps the colour of every pixel; in a WebP without a photograph, how many colours its background keeps. */
  readonly quality?: number | `${number}` | undefined
  /** The width in pixels of a PNG, JPEG or WebP; the height follows the size. */
  readonly width?: number | `${number}` | undefined
  /** A picture behind or beside the texts, where a brand’s picture would be: an https URL, not with demo=1, or data:image/…;base64, of at most 8 KiB, for everybody; jpeg, png and webp. */
  readonly picture?: string | undefined
  /** How many seconds the answer may be cached. */
  readonly cacheSeconds?: number | `${number}` | undefined
}

/** The parameters of `/api/card`. */
export interface PageCardParameters {
  /** The URL of the page whose card is drawn. */
  readonly page: string
  /** Replaces the title of the page. */
  readonly title?: string | number | undefined
  /** Replaces the description of the page. */
  readonly subtitle?: string | number | undefined
  /** Replaces the author of the page. */
  readonly author?: string | number | undefined
  /** Replaces the domain of the page. */
  readonly url?: string | number | undefined
  /** page: the picture that the page names for previews, else the first large one of its text; or a picture by https URL, not with demo=1. */
  readonly picture?: string | undefined
  /** In templates that show one: the face of the author or person that the page names, or one by https URL, not with demo=1; none: initials. */
  readonly face?: string | undefined
  /** When the page cannot be read: what is known of it from before, or a card of its host name, free of charge; or an error. */
  readonly fallback?: 'card' | 'error' | undefined
  /** The public id of a key that names hosts, for pages of these hosts, in place of a signature; beside it only page, size, format and a width of 600, 800 or 1200 count, because the look is that of the key. */
  readonly site?: string | undefined
  /** A short line above the title: a category, a series, a version. */
  readonly eyebrow?: string | number | undefined
  /** The theme. */
  readonly theme?: 'aurora' | 'paper' | 'grid' | 'poster' | 'terminal' | 'plain' | undefined
  /** The colour scheme; every theme has both. */
  readonly scheme?: 'light' | 'dark' | undefined
  /** The size of the card: og 1200×630, github 1280×640, x 1600×900, square 1080×1080, portrait 1080×1350, pin 1000×1500. */
  readonly size?: 'og' | 'github' | 'x' | 'square' | 'portrait' | 'pin' | undefined
  /** Where texts, labels and logo stand: at the side where the language starts, or about the middle, on a wide card within its middle square. */
  readonly align?: 'start' | 'center' | undefined
  /** The accent colour, adjusted for contrast. */
  readonly accent?: string | undefined
  /** A mark on the card, kept readable on its background: the name of an icon of Simple Icons, or data:image/…;base64, (svg+xml, png, jpeg, webp) of at most 8 KiB; logos are trademarks of their owners. */
  readonly logo?: string | undefined
  /** The brand whose colours, logo, fonts and picture the card has; slug is its newest revision, slug@3 always the third. */
  readonly brand?: string | undefined
  /** The language: chooses Han forms and casing. */
  readonly lang?: string | undefined
  /** The response format; json says how the card is laid out: lines, sizes, and what is cut. */
  readonly format?: 'svg' | 'png' | 'jpeg' | 'webp' | 'json' | undefined
  /** The quality of a JPEG or WebP, lowered if the file would have more than 600,000 bytes; from 90, a JPEG keeps the colour of every pixel; in a WebP without a photograph, how many colours its background keeps. */
  readonly quality?: number | `${number}` | undefined
  /** The width in pixels of a PNG, JPEG or WebP; the height follows the size. */
  readonly width?: number | `${number}` | undefined
  /** The subject of the card, with what the page says of it: auto is the first that fits the page; standard where the page lacks what a template needs. */
  readonly template?: 'auto' | 'standard' | 'article' | 'release' | 'quote' | 'code' | 'event' | 'stats' | 'profile' | 'photo' | undefined
  /** How many seconds the answer may be cached. */
  readonly cacheSeconds?: number | `${number}` | undefined
}

/** The parameters of `/api/sitemap`. */
export interface SitemapParameters {
  /** The host name of the site; a URL works too. */
  readonly domain: string | number
  /** The maximum number of URLs in the sitemap. */
  readonly max?: number | `${number}` | undefined
  /** The rule for crawlers of AI companies in robots.txt: none, to stay away, or not to train on the pages. */
  readonly ai?: 'allow' | 'deny' | 'train-deny' | undefined
  /** Content Signals to write into robots.txt: what may be done with the pages once they were read; those that the site has stay. */
  readonly signals?: string | undefined
  /** 0 returns the template without asking the site. */
  readonly crawl?: boolean | 0 | 1 | 'true' | 'false' | '0' | '1' | undefined
  /** All three files as JSON or in a zip. */
  readonly format?: 'json' | 'zip' | undefined
  /** Returns only this file. */
  readonly file?: 'robots.txt' | 'sitemap.xml' | 'llms.txt' | undefined
}

/** The parameters of `/api/avatar`. */
export interface AvatarParameters {
  /** The name, handle or e-mail address of the person. */
  readonly name: string | number
  /** The letters to show, 1 to 3, in place of those of the name. */
  readonly initials?: string | undefined
  /** Width and height in pixels. */
  readonly size?: number | `${number}` | undefined
  /** The number of initials; auto is the usual number for the script. */
  readonly length?: 'auto' | '1' | 1 | '2' | 2 | '3' | 3 | undefined
  /** The outline. */
  readonly shape?: 'circle' | 'rounded' | 'square' | undefined
  /** plain and gradient have letters; shapes has figures in their place. */
  readonly style?: 'plain' | 'gradient' | 'shapes' | undefined
  /** true is shape=circle, false is shape=square. */
  readonly rounded?: boolean | 0 | 1 | 'true' | 'false' | '0' | '1' | undefined
  /** The background; auto chooses by name; random is auto. */
  readonly background?: string | undefined
  /** The letters; auto is readable on the background. */
  readonly color?: string | undefined
  /** A text that chooses the background in place of the name. */
  readonly seed?: string | number | undefined
  /** Bold letters. */
  readonly bold?: boolean | 0 | 1 | 'true' | 'false' | '0' | '1' | undefined
  /** Capital letters; false keeps the case of the name. */
  readonly uppercase?: boolean | 0 | 1 | 'true' | 'false' | '0' | '1' | undefined
  /** The size of the letters as a fraction of the size. */
  readonly 'font-size'?: number | `${number}` | undefined
  /** auto and path draw outlines; text leaves the letters to the fonts of the viewer. */
  readonly text?: 'auto' | 'path' | 'text' | undefined
  /** The language: chooses casing and Han forms. */
  readonly lang?: string | undefined
  /** The accessible name. */
  readonly title?: string | number | undefined
  /** The response format. */
  readonly format?: 'svg' | 'png' | 'json' | undefined
  /** How many seconds the answer may be cached. */
  readonly cacheSeconds?: number | `${number}` | undefined
}

/** The parameters of `/api/badge`. */
export interface BadgeParameters {
  /** The left part. */
  readonly label?: string | number | undefined
  /** The left part. */
  readonly subject?: string | number | undefined
  /** The right part. */
  readonly value?: string | number | undefined
  /** The right part. */
  readonly message?: string | number | undefined
  /** A word that chooses the colour, or a colour. */
  readonly status?: string | undefined
  /** The colour of the right part; overrides status. Or several by value, as in 0:red,50:yellow,80:green: the one of the largest number that the value reaches. */
  readonly color?: string | undefined
  /** The colour of the right part; overrides status. Or several by value, as in 0:red,50:yellow,80:green: the one of the largest number that the value reaches. */
  readonly colorB?: string | undefined
  /** The URL of a JSON document in the endpoint schema of shields.io, which says label, value and look; your own parameters take precedence. */
  readonly endpoint?: string | undefined
  /** The URL of a JSON document in which query finds the value. */
  readonly json?: string | undefined
  /** The URL of a YAML document in which query finds the value. */
  readonly yaml?: string | undefined
  /** The URL of a TOML document in which query finds the value. */
  readonly toml?: string | undefined
  /** The URL of a XML document in which query finds the value. */
  readonly xml?: string | undefined
  /** Where in the document the value is: a JSONPath query of RFC 9535, in XML a path of elements such as /project/version or //Version/@x; several values are joined with commas. */
  readonly query?: string | undefined
  /** A text before the value of the document. */
  readonly prefix?: string | number | undefined
  /** A text after the value of the document. */
  readonly suffix?: string | number | undefined
  /** badge answers with a grey badge, free of charge, where the document cannot be read. */
  readonly fallback?: 'badge' | undefined
  /** The style; classic is flat. */
  readonly style?: 'flat' | 'flat-square' | 'plastic' | 'for-the-badge' | 'social' | 'soft' | 'rounded' | 'classic' | undefined
  /** The colour of the left part. */
  readonly labelColor?: string | undefined
  /** The colour of the left part. */
  readonly colorA?: string | undefined
  /** A picture before the label: the name of an icon of Simple Icons, or data:image/…;base64, (png, jpeg, gif, webp, svg+xml) of at most 8 KiB and 4 megapixels; logos are trademarks of their owners. */
  readonly logo?: string | undefined
  /** A picture before the label: the name of an icon of Simple Icons, or data:image/…;base64, (png, jpeg, gif, webp, svg+xml) of at most 8 KiB and 4 megapixels; logos are trademarks of their owners. */
  readonly icon?: string | undefined
  /** The colour of an icon; auto is that of text on its background. */
  readonly logoColor?: string | undefined
  /** auto gives an icon the width that its shape has at the full height. */
  readonly logoSize?: 'auto' | undefined
  /** The width of the logo in pixels; its height is 14. */
  readonly logoWidth?: number | `${number}` | undefined
  /** Ends every id in the SVG, for pages that inline several badges. */
  readonly idSuffix?: string | undefined
  /** Multiplies the size. */
  readonly scale?: number | `${number}` | undefined
  /** The accessible name. */
  readonly title?: string | number | undefined
  /** Up to 3 further parts, separated by |, each a value of 1 to 60 characters and, after its last colon, an optional colour; not with style=social, and not part of format=json. */
  readonly more?: string | undefined
  /** The width in pixels, before scale, that the badge has at least: its last part grows. */
  readonly width?: number | `${number}` | undefined
  /** The language of the texts, for the capitals of style=for-the-badge. */
  readonly lang?: string | undefined
  /** shields gives emoji the width that shields.io guesses, and an icon the brand’s colour where shields.io does. */
  readonly emojiWidth?: 'shields' | undefined
  /** Where a click leads: once for the whole badge, twice for left and right. */
  readonly link?: string | readonly string[] | undefined
  /** The response format; json is the endpoint schema of shields.io. */
  readonly format?: 'svg' | 'png' | 'json' | undefined
  /** How many seconds the answer may be cached. */
  readonly cacheSeconds?: number | `${number}` | undefined
}

/** The parameters of `/api/preview`. */
export interface PreviewParameters {
  /** The URL of the page. */
  readonly url: string
  /** The language to ask the site for; sent as Accept-Language. */
  readonly lang?: string | undefined
  /** The response format: ours, oEmbed 1.0 or Microlink’s. */
  readonly format?: 'json' | 'oembed' | 'microlink' | undefined
  /** Fetches the page again; not with demo=1. */
  readonly fresh?: boolean | 0 | 1 | 'true' | 'false' | '0' | '1' | undefined
}
