/** The documents: a search over all of them, tabs for code in several languages, a menu that folds on a phone. */
import { byId } from './dom.js'
import { startSearch } from './search.js'
import { startTabs } from './tabs.js'

startSearch(byId('docs-search', HTMLElement))
for (const group of document.querySelectorAll('[data-tabs]')) {
  if (group instanceof HTMLElement) startTabs(group)
}

const menu = document.querySelector('.docs-menu')
const narrow = matchMedia('(max-width: 59.99rem)')
const fold = () => menu?.toggleAttribute('open', !narrow.matches)
narrow.addEventListener('change', fold)
fold()
