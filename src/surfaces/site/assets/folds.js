/** Sections of a long page, and the menu of documents: folded on a phone, open elsewhere, as the styles show them before. */
const wide = matchMedia('(min-width: 60rem)')
const folds = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('.fold, .docs-menu')])

function follow() {
  for (const each of folds) {
    each.open = wide.matches
    each.querySelector('summary')?.setAttribute('tabindex', wide.matches ? '-1' : '0')
  }
}

/** The heading that an address names stands in a summary, so the browser opens nothing for it. */
function openTarget() {
  const target = document.querySelector(':target')
  const section = target?.closest('details')
  if (!section || section.open) return
  section.open = true
  target?.scrollIntoView({ behavior: 'instant' })
}

for (const each of folds) {
  each.querySelector('summary')?.addEventListener('click', (event) => {
    if (wide.matches) event.preventDefault()
  })
}
wide.addEventListener('change', follow)
addEventListener('hashchange', openTarget)
follow()
openTarget()
