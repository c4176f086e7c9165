/** The pages of documents: the search, and the menu at the current page. */
import { byId } from './dom.js'
import { startSearch } from './search.js'

startSearch(byId('docs-search', HTMLElement))

const menu = document.querySelector('.docs-menu')
const current = menu?.querySelector('[aria-current]')
if (menu && current) {
  const place = current.getBoundingClientRect().top - menu.getBoundingClientRect().top
  menu.scrollTop = place - menu.clientHeight / 2
}
