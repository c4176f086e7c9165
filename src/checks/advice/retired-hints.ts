/** Hints that misled and are no longer sent. Their codes stay published, and no profile may give them another meaning. */
export const RETIRED_HINTS = {
  compare_with_source:
    'What was meant cannot be told from the value. Today there is no hint then: compare all of its characters with the source.',
  may_be_nip: 'The number fits as a NIP. Ask which number is meant.',
  may_be_regon: 'The number fits as a REGON. Ask which number is meant.',
  several_addresses: 'The value holds more than one address. Today the hint is `several_values`.',
} as const
