/** On a phone, folds the sections of a page of more than six screens; a section opens by its heading and by an address in it. */
import { element } from './dom.js'

const MOST_SCREENS = 6

/** @param {Element} heading */
function fold(heading) {
  const section = element('details', { class: 'fold' })
  heading.before(section)
  heading.querySelector('.anchor')?.remove()
  section.append(element('summary', {}, heading))
  for (
    let next = section.nextElementSibling;
    next && !next.matches('h2, nav');
    next = section.nextElementSibling
  )
    section.append(next)
}

function openTarget() {
  const target = document.querySelector(':target')
  const section = target?.closest('details')
  if (!section) return
  section.open = true
  target?.scrollIntoView({ behavior: 'instant' })
}

if (
  matchMedia('(max-width: 59.99rem)').matches &&
  document.documentElement.scrollHeight > MOST_SCREENS * innerHeight
) {
  for (const heading of document.querySelectorAll('.prose > h2, .page > section > h2')) fold(heading)
  addEventListener('hashchange', openTarget)
  openTarget()
}
