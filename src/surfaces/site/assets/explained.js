/** Draws an IBAN in its parts as it is typed. The value stays in this page. */
import { byId, element } from './dom.js'

const place = byId('explained', HTMLElement)
const own = byId('own-iban', HTMLInputElement)
const words = byId('own-words', HTMLElement)
const ends = new Map(
  [...(place.dataset.banks ?? '').matchAll(/([A-Z]{2})(\d+)/g)].map(([, code, end]) => [code, Number(end)]),
)
const recorded = own.value
const verdict = [...words.childNodes]

function draw() {
  const value = own.value.replaceAll(/[\s.-]/g, '').toUpperCase()
  const end = ends.get(value.slice(0, 2)) ?? 4
  const parts = [
    ['Country', value.slice(0, 2)],
    ['Check digits', value.slice(2, 4)],
    ['Bank', value.slice(4, end)],
    ['Account', value.slice(end)],
  ]
  byId('own-parts', HTMLElement).replaceChildren(
    ...parts
      .filter(([, text]) => text !== '')
      .map(([name, text]) => element('span', {}, String(text), element('small', {}, String(name)))),
  )
  if (own.value === recorded) words.replaceChildren(...verdict)
  else words.replaceChildren('Drawn here, not checked. ', element('a', { href: '#try' }, 'Check a value'))
}

own.addEventListener('input', draw)
draw()
