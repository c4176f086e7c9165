/** What every page does with scripts: says whether the service is up, and copies code. */
import { byId, element } from './dom.js'

/** @type {Readonly<Record<string, string>>} */
const STATES = {
  ok: 'Up: paid calls are taken',
  degraded: 'Up, but not all is well',
  paused: 'Paid calls are paused',
}

/** @param {HTMLElement} place */
async function showStatus(place) {
  let state = 'silent'
  try {
    const response = await fetch('/status.json', { cache: 'no-store' })
    state = (await response.json()).payments.state
  } catch {
    // Said below.
  }
  const dot = element('span', { class: `dot ${state}`, 'aria-hidden': 'true' })
  const more = element('a', { href: '/status.json' }, STATES[state] ?? 'The service does not answer')
  place.replaceChildren(dot, more)
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
