/** Where the `type` of every problem leads: `/errors` with one section per code, and each on a page of its own. */
import { ERRORS, type ErrorCode } from '../../errors.ts'
import type { StaticDocument } from '../../http/static-document.ts'
import type { DocumentFacts } from './facts.ts'
import { escapeMarkup, page } from './markup.ts'

const HTML = 'text/html; charset=utf-8'

export function errorPages({ listing }: DocumentFacts): readonly StaticDocument[] {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const all = page(`Errors - ${listing.service}`, [
    '<h1>Errors</h1>',
    '<p>Every answer that is not a verdict carries one of these codes: in <code>code</code> of the problem details',
    'over HTTP, in the error of the protocol elsewhere. A code never changes its meaning.</p>',
    '<p>An identifier that is not valid is no error: it is a verdict with <code>valid: false</code>.</p>',
    ...codes.flatMap(section),
  ])
  return [
    { route: '/errors', body: all, contentType: HTML },
    ...codes.map((code) => ({
      route: `/errors/${code}`,
      body: page(`${ERRORS[code].title} - ${listing.service}`, [
        ...section(code),
        '<p><a href="/errors">All errors</a></p>',
      ]),
      contentType: HTML,
    })),
  ]
}

function section(code: ErrorCode): readonly string[] {
  const { status, title, detail } = ERRORS[code]
  return [
    `<section id="${code}">`,
    `<h2>${escapeMarkup(title)}</h2>`,
    `<p><code>${code}</code>, HTTP status ${status}</p>`,
    `<p>${escapeMarkup(detail)}</p>`,
    '</section>',
  ]
}
