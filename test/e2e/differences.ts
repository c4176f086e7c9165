/**
 * Every difference between the answers of the reference middleware (@x402/express 2.27.0) and ours to the same
 * requests, with its reason. The table is closed: a difference that is not here fails the test, and so does one
 * that is here and no longer occurs. Texts of errors are each one's own and are not compared.
 */

interface Difference {
  readonly found: readonly string[]
  readonly why: string
}

/** Differences of whole classes of answers; each answer of the class has to show it. */
export const EVERYWHERE = {
  sale: {
    found: 'PAYMENT-RESPONSE extensions.offer-receipt',
    why: 'our receipts are signed; the middleware was given no key to sign with',
  },
  salt: {
    found: 'PAYMENT-RESPONSE extensions.receipt-salt',
    why: 'the salt of the hashes in our receipts, for the buyer only',
  },
  quote: {
    found: 'PAYMENT-REQUIRED extensions.bazaar',
    why: 'examples show the types that the middleware repeats, and the header is kept small for proxies',
  },
  refusal: {
    found: 'PAYMENT-REQUIRED extensions.bazaar',
    why: 'a client that was refused already knows how to call, and the header is kept small for proxies',
  },
  identifier: {
    found: 'PAYMENT-REQUIRED extensions.payment-identifier',
    why: 'the rules of an identifier were in the first offer, and the header is kept small for proxies',
  },
} as const

const SOLD_HERE_ALONE = [
  'status 402, ours 200',
  'PAYMENT-REQUIRED, ours none',
  'no PAYMENT-RESPONSE, ours one',
]
const REFUSED_HERE_ALONE = [
  'status 200, ours 402',
  'no PAYMENT-REQUIRED, ours one',
  'PAYMENT-RESPONSE, ours none',
]
const withoutOffer = (status: number) => [`status 402, ours ${status}`, 'PAYMENT-REQUIRED, ours none']

const numbered = (answer: number, found: readonly string[]) => found.map((text) => `${answer}: ${text}`)

const BOTH_VERSIONS = 'both versions of x402 are read, since the authorization they carry is the same'
const ONE_SPELLING = 'an amount has one spelling here, plain decimal, so that no two readers can differ on it'
const ONE_PATH = 'a path has one spelling here; any other is nothing, paid or not'

export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'valid for a year': {
    found: REFUSED_HERE_ALONE,
    why: 'the offered time-out is enforced: a signature valid for long could be settled long after its answer',
  },
  'v is 0 or 1': {
    found: ['status 402, ours 200', 'PAYMENT-REQUIRED, ours none', 'no PAYMENT-RESPONSE, ours one'],
    why: 'A signature is brought into the form of the token where that recovers the payer.',
  },
  'the value with a leading zero': { found: REFUSED_HERE_ALONE, why: ONE_SPELLING },
  'the value in hexadecimal': { found: REFUSED_HERE_ALONE, why: ONE_SPELLING },
  'the value in spaces': { found: REFUSED_HERE_ALONE, why: ONE_SPELLING },
  'extensions that are a string': {
    found: REFUSED_HERE_ALONE,
    why: 'the payload is held to its schema, where extensions are an object',
  },
  'accepted addresses in lower case': {
    found: SOLD_HERE_ALONE,
    why: 'the case of an address carries a checksum and no meaning',
  },
  'unknown members': {
    found: SOLD_HERE_ALONE,
    why: 'what is not understood is dropped, and nothing of it is sent on',
  },
  'an extension echoed without what was declared': {
    found: SOLD_HERE_ALONE,
    why: 'an identifier that can be read serves the buyer, whatever else the echo lacks',
  },
  'a payer without money': {
    found: ['no PAYMENT-RESPONSE, ours one'],
    why: 'found out by the settlement here and by a verification before it there: one round trip per sale',
  },
  'the same request again': {
    found: [...numbered(2, SOLD_HERE_ALONE), ...numbered(3, SOLD_HERE_ALONE)],
    why: 'what was paid for is answered again, and not charged again',
  },
  'the same payment in another spelling': {
    found: numbered(2, SOLD_HERE_ALONE),
    why: 'a payment is known by its authorization, not by the text of its header',
  },
  'the same payment for another value': {
    found: numbered(2, withoutOffer(409)),
    why: 'a buyer who was charged is not asked to pay again by a 402',
  },
  'the same payment on another route': {
    found: numbered(2, withoutOffer(409)),
    why: 'a buyer who was charged is not asked to pay again by a 402',
  },
  'five copies at once': {
    found: [2, 3, 4, 5].map((answer) => `${answer}: status 402, ours 200`),
    why: 'copies of a request get the answer that its payment bought',
  },
  'a version 1 payload': { found: SOLD_HERE_ALONE, why: BOTH_VERSIONS },
  'a version 1 payload in the version 1 header': { found: SOLD_HERE_ALONE, why: BOTH_VERSIONS },
  'a version 2 payload in the version 1 header': { found: SOLD_HERE_ALONE, why: BOTH_VERSIONS },
  'a query string': {
    found: withoutOffer(400),
    why: 'query strings are written into logs everywhere, so values in them are refused before they are paid for',
  },
  'the path in upper case': { found: withoutOffer(404), why: ONE_PATH },
  'a letter of the path encoded': { found: withoutOffer(404), why: ONE_PATH },
}
