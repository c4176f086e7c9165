import { type Html, html } from '../../../http/body/html.ts'
import type { Reading } from './figures/figures.ts'

/** Stands in for a figure that could not be read; never a number. */
export const FAILED = html`<p class="failed" role="alert"><strong>failed</strong>: the store did not answer</p>`

export const shown = <T>(reading: Reading<T>, show: (value: T) => Html): Html =>
  reading.kind === 'read' ? show(reading.value) : FAILED

/** One number; `look` colours it when something is wrong. */
export const tile = (
  name: string,
  value: string,
  note: string,
  look: 'is-plain' | 'is-watch' | 'is-act' = 'is-plain',
): Html => html`<div class="tile ${look}"><h3>${name}</h3><p class="figure">${value}</p><p>${note}</p></div>`
