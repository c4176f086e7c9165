import { type Html, html } from '../../../http/body/html.ts'

export interface DocumentParts {
  readonly sandbox: boolean
  readonly nav: Html
  readonly main: Html
}

export const STYLE_PATH = '/operator.css'

/** A page of the operator's as a whole document: no script, and its style a file of its own. */
export const operatorDocument = ({ sandbox, nav, main }: DocumentParts): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Format Checker: operator</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header><h1>Format Checker <span>operator</span>${sandbox && html` <span class="badge">no real money</span>`}</h1>
<nav aria-label="Operator">${nav}</nav></header>
<main>
${main}
</main>
</body>
</html>
`.markup
