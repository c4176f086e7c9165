import type { Page } from 'playwright-core'

/** The names of elements with this text that the browser's translator would send to its service. */
export const translatable = (page: Page, text: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('body *')]
      .filter(({ translate }) => translate)
      .filter(({ childNodes }) =>
        [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.includes(${JSON.stringify(text)})),
      )
      .map(({ localName }) => localName)`,
  )
