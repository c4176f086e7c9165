/** The pages of documents: the search, and a menu that folds on a phone. */
import { byId } from './dom.js'
import { startSearch } from './search.js'

startSearch(byId('docs-search', HTMLElement))

const menu = document.querySelector('.docs-menu')
const narrow = matchMedia('(max-width: 59.99rem)')
const fold = () => menu?.toggleAttribute('open', !narrow.matches)
narrow.addEventListener('change', fold)
fold()

const current = menu?.querySelector('[aria-current]')
if (menu && current) {
  const place = current.getBoundingClientRect().top - menu.getBoundingClientRect().top
  menu.scrollTop = place - menu.clientHeight / 2
}
