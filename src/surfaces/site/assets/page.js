/** What every page does with scripts: says whether the service is up, and copies code. */
import { byId, element } from './dom.js'

/** @param {HTMLElement} place */
async function showStatus(place) {
  const say = (/** @type {string} */ state, /** @type {string} */ words) =>
    place.replaceChildren(element('span', { class: `dot ${state}`, 'aria-hidden': 'true' }), words)
  try {
    const response = await fetch(place.dataset.url ?? '', { cache: 'no-store' })
    if (response.ok) say('up', 'Up: paid calls are taken')
    else say('down', 'Not ready: paid calls are not taken at the moment')
  } catch {
    say('down', 'The service does not answer')
  }
}

/** @param {HTMLElement} block */
function offerCopy(block) {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
  const label = block.querySelector('pre')?.getAttribute('aria-label') ?? 'code'
  button.setAttribute('aria-label', `Copy: ${label}`)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => button.replaceChildren('Copy'), 2000)
  })
  block.append(button)
}

void showStatus(byId('status', HTMLElement))
// Outside a secure context there is no clipboard to write to.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('[data-copy]')) {
    if (block instanceof HTMLElement) offerCopy(block)
  }
}
