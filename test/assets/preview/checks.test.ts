import { describe } from 'bun:test'
import { testChecks } from '../../support/check.ts'
import { checks as cases } from './cases-checks.ts'
import { checks as fieldsOfPages } from './fields-of-pages-checks.ts'
import { checks as moves } from './moves-checks.ts'
import { checks as oembed } from './oembed-checks.ts'
import { checks as pagePieces } from './page-pieces-checks.ts'
import { checks as placeholders } from './placeholders-checks.ts'
import { checks as previewService } from './preview-service-checks.ts'
import { checks as rules } from './rules-checks.ts'

const guarantees = {
  'what a page says about itself': cases,
  'what pages of all kinds and programs say is found, and nothing is invented': fieldsOfPages,
  'a page that has moved is read where it is now': moves,
  'what a page of a video, a sound or a picture lacks is asked of its oEmbed': oembed,
  'a page that arrives in pieces': pagePieces,
  'what a template left unfilled is no value': placeholders,
  'what the preview service remembers': previewService,
  'the rules that decide a field': rules,
}

for (const [guarantee, checks] of Object.entries(guarantees)) describe(guarantee, () => testChecks(checks))
