/** Styles and scripts of every page under /docs. */
export const DOCS_ASSETS = ['reading.css', 'docs.css', 'docs.js']
