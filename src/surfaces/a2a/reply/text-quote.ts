/** Says what an order in words was read as, before anything is sold. It is not stored. */
import type { Quote } from '../../../payments/ports/sale.ts'
import { priceOf } from '../../../payments/terms/quote-for.ts'
import { encodeHeader } from '../../../values/json.ts'
import type { Ordered } from '../request/route-skill.ts'
import { maskValue } from './mask-value.ts'

export type TextQuote = { readonly skill: string; readonly priceUsd: string } & (
  | { readonly value: string }
  /** How many values a list has; its skill may be "mixed". */
  | { readonly values: number }
)

/** Our own: the quote of a text in the metadata of its task's status message. */
export const QUOTE_KEY = 'format-checker/quote'

export function quoteOfText({ shape, type, items }: Ordered, quote: Quote): TextQuote {
  const [{ skill, value }] = items
  const priced = { skill: type, priceUsd: priceOf(quote.required('payment_required')) }
  return shape === 'single'
    ? { ...priced, value: maskValue(skill, value) }
    : { ...priced, values: items.length }
}

export const questionOf = (asked: TextQuote): string =>
  `Check ${'value' in asked ? `${asked.skill} ${asked.value}` : `${asked.values} values (${asked.skill})`} for USD ${asked.priceUsd}?`

/**
 * The question is the `error` of the terms, which no client copies into a payment. The terms lack the declaration for
 * catalogues: the header would be too long, and catalogues send no texts.
 */
export function askingQuote(quote: Quote, asked: TextQuote): Quote {
  const required = { ...quote.required('payment_refused'), error: questionOf(asked) }
  return { required: () => required, header: () => encodeHeader(required) }
}
