/** The examples of the chosen check with recorded answers: nothing is sent and nothing is paid. */

import { byId, element } from './dom.js'
import { say, show } from './notice.js'
import { renderVerdict } from './verdict.js'

/** @typedef {{ title: string, value: string, output: any }} Example */

const OWN = 'A value of your own'

/**
 * @param {string} path of the examples
 * @param {() => string} chosenType
 * @param {HTMLInputElement} value
 */
export function startExamples(path, chosenType, value) {
  const list = byId('example', HTMLSelectElement)
  /** @type {Record<string, Example[]>} */
  let examples = {}
  let inUse = false
  const current = () => examples[chosenType()] ?? []

  function fill() {
    list.replaceChildren(
      ...current().map(({ title, output }) =>
        element('option', {}, `${title} (${output.valid ? 'valid' : 'not valid'})`),
      ),
      element('option', {}, OWN),
    )
  }
  /** Shows the answer of the chosen example; nothing for a value of the visitor's own. */
  function showRecorded() {
    const example = current()[list.selectedIndex]
    say('')
    if (example === undefined) return show()
    value.value = example.value
    show(recorded(example))
  }

  list.addEventListener('input', (event) => {
    event.stopPropagation()
    showRecorded()
    if (current()[list.selectedIndex] === undefined) {
      value.value = ''
      value.focus()
    }
  })
  return {
    async load() {
      examples = await (await fetch(path)).json()
      fill()
      // The visitor may have begun before the examples arrived.
      if (inUse) list.selectedIndex = list.options.length - 1
      else showRecorded()
    },
    changeType() {
      if (Object.keys(examples).length === 0) return
      fill()
      showRecorded()
    },
    /** After the value was edited or sent. */
    leave() {
      inUse = true
      list.selectedIndex = list.options.length - 1
    },
  }
}

/** @param {Example} example */
function recorded({ output }) {
  const card = renderVerdict(output)
  card.prepend(
    element(
      'p',
      { class: 'recorded' },
      element('b', {}, 'Recorded answer'),
      'Nothing was sent and nothing was paid.',
    ),
  )
  return card
}
