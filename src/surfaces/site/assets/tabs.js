/** Tabs by the ARIA pattern; choosing a language in one group chooses it in every group that has it. */
import { element } from './dom.js'

/** @param {HTMLElement} group */
export function startTabs(group) {
  const panels = /** @type {HTMLElement[]} */ ([...group.querySelectorAll('.tab')])
  const name = group.dataset.tabs ?? 'Code'
  const list = element('div', { class: 'tab-list', role: 'tablist', 'aria-label': name })
  const buttons = panels.map((panel, at) => {
    const title = panel.dataset.tab ?? ''
    const id = `${name}-${at}`.toLowerCase().replaceAll(' ', '-')
    panel.id = `${id}-panel`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    const button = element('button', { type: 'button', role: 'tab', id, 'aria-controls': panel.id }, title)
    button.addEventListener('click', () => dispatchEvent(new CustomEvent('choose-tab', { detail: title })))
    list.append(button)
    return button
  })

  /** @param {number} chosen */
  const select = (chosen) => {
    for (const [at, panel] of panels.entries()) {
      panel.hidden = at !== chosen
      buttons[at]?.setAttribute('aria-selected', String(at === chosen))
      buttons[at]?.setAttribute('tabindex', at === chosen ? '0' : '-1')
    }
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    if (step === undefined || at < 0) return
    const next = buttons.at((at + step) % buttons.length)
    next?.click()
    next?.focus()
  })
  addEventListener('choose-tab', (event) => {
    const at = panels.findIndex(({ dataset }) => dataset.tab === /** @type {CustomEvent} */ (event).detail)
    if (at >= 0) select(at)
  })
  select(0)
  group.prepend(list)
  group.classList.add('live')
}
