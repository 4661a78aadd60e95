import {
  arabicWelcome,
  berthSignals,
  home,
  newCrane,
  oldPath,
  quietWinter,
  rota,
  site,
  tideTable,
} from '../content.ts'
import type { Generator } from '../generator.ts'
import { markdown } from '../markdown.ts'

export const hugo: Generator = {
  files: {
    'config.toml': `baseURL = '${site.url}/'
languageCode = 'en-gb'
title = '${site.name}'
defaultContentLanguage = 'en'
disableKinds = ['RSS', 'taxonomy', 'term']

[languages.en]
languageName = 'English'

[languages.ar]
languageName = 'العربية'
languagedirection = 'rtl'
title = 'دليل الميناء'
`,
    'layouts/_default/baseof.html': `<!DOCTYPE html>
<html lang="{{ .Site.Language.Lang }}" dir="{{ or .Site.Language.LanguageDirection "ltr" }}">
{{- partial "head.html" . -}}
<body>
  <header><a href="/">{{ .Site.Title }}</a></header>
  <main>{{- block "main" . }}{{- end }}</main>
</body>
</html>
`,
    'layouts/partials/head.html': `
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	{{ hugo.Generator }}
	<title>{{ if .IsHome }}{{ site.Title }}{{ else }}{{ printf "%s | %s" .Title site.Title }}{{ end }}</title>
	<meta name="description" content="{{ .Description }}">
	{{ with .Params.robots }}<meta name="robots" content="{{ . }}">{{ end }}
	{{- template "_internal/opengraph.html" . -}}
	{{- template "_internal/schema.html" . -}}
	{{- template "_internal/twitter_cards.html" . -}}
</head>
`,
    'layouts/_default/single.html': `{{ define "main" }}
<h1>{{ .Title }}</h1>
{{ if .Params.author }}<p>{{ .Params.author }} · <time datetime="{{ .Date.Format "2006-01-02" }}">{{ .Date.Format "January 2, 2006" }}</time></p>{{ end }}
{{ .Content }}
{{ end }}
`,
    'layouts/_default/list.html': `{{ define "main" }}
<h1>{{ .Title }}</h1>
{{ .Content }}
<ul>{{ range .Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>
{{ end }}
`,
    'layouts/404.html': `{{ define "main" }}<h1>Page not found</h1>{{ end }}\n`,
    'content/_index.md': markdown(home),
    'content/docs/guides/tide-table.md': markdown(tideTable, { aliases: [`/${oldPath}`] }),
    'content/docs/reference/berth-signals.md': markdown(berthSignals),
    'content/blog/quiet-winter.md': markdown(quietWinter),
    'content/blog/new-crane.md': markdown(newCrane),
    'content/welcome.ar.md': markdown(arabicWelcome),
    'content/crew/rota.md': markdown(rota, { robots: 'noindex' }),
  },
  build: ['hugo', '--minify'],
  output: 'public',
}
