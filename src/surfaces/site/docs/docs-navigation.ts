/** The list of all guides, with the search above it; folded away on a phone. */
import { type Html, html } from '../../../values/html.ts'
import { type Guide, guidePath, guideTitle } from './guide.ts'
import type { GuideGroup } from './guide-groups.ts'

export const DOCS_ASSETS = ['reading.css', 'docs.css', 'docs.js', 'folds.js']

export function docsNavigation(groups: readonly GuideGroup[], current?: Guide): Html {
  return html`<aside class="docs-side">
${searchBox()}
<details class="docs-menu">
<summary>All documents</summary>
<nav aria-label="Documents">
${groups.map(
  ({ title, guides }) => html`<h2>${title}</h2>
<ul>${guides.map((guide) => html`<li><a href="${guidePath(guide)}"${guide === current && html` aria-current="page"`}>${guideTitle(guide)}</a></li>`)}</ul>
`,
)}</nav>
</details>
</aside>`
}

/** Styles hide it where scripts are off, and only there: shown late it would move the page. */
const searchBox = (): Html => html`<div class="search scripted" id="docs-search">
<label for="search-text">Search the documents</label>
<input id="search-text" type="search" autocomplete="off" spellcheck="false" placeholder="Search" aria-controls="search-results">
<p class="quiet" id="search-status" role="status"></p>
<ul id="search-results"></ul>
</div>`
