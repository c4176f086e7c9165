/** A question of a reader, what they would type, the pages that may answer it, and words of the answer. */
export interface Question {
  readonly question: string
  readonly query: string
  readonly pages: readonly string[]
  /** What the section that the search leads to, or its page, must say. */
  readonly says: RegExp
}

/** Written before the pages were rewritten; five of each kind of reader. */
export const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'an agent developer': [
    {
      question: 'May my agent pay without asking me, and when must it ask?',
      query: 'pay without asking',
      pages: ['a2a', 'clients'],
      says: /`certain: true`/,
    },
    {
      question: 'How does my agent send the payment for an A2A task?',
      query: 'submit payment a2a',
      pages: ['a2a', 'clients'],
      says: /payment-submitted/,
    },
    {
      question: 'How long can my agent fetch a finished task?',
      query: 'task expires',
      pages: ['a2a', 'limits', 'privacy'],
      says: /hour/,
    },
    {
      question: 'How do I cap what the agent spends in a day?',
      query: 'agent spending limit',
      pages: ['clients', 'wallet', 'cli'],
      says: /day/,
    },
    {
      question: 'How do I verify the signature of the agent card?',
      query: 'verify agent card signature',
      pages: ['a2a'],
      says: /jwks/i,
    },
  ],
  'an HTTP buyer': [
    {
      question: 'My connection broke after I sent the payment. What now?',
      query: 'timeout after payment',
      pages: ['how-it-works', 'limits', 'errors', 'wallet', 'terms', 'paying-by-hand'],
      says: /[Rr]epeat/,
    },
    {
      question: 'Am I charged for a value that is invalid?',
      query: 'invalid identifier charged',
      pages: ['wallet', 'terms'],
      says: /invalid/,
    },
    {
      question: 'How long may I hold the quote before I sign it?',
      query: 'how long is a quote valid',
      pages: ['paying-by-hand', 'limits', 'how-it-works'],
      says: /second|minute|hour/,
    },
    {
      question: 'How many values may one request hold?',
      query: 'maximum list size',
      pages: ['lists', 'limits'],
      says: /1,?000/,
    },
    {
      question: 'How many requests a second may I send?',
      query: 'requests per second',
      pages: ['limits', 'paying-by-hand'],
      says: /429|minute|second/,
    },
  ],
  'a bookkeeper': [
    {
      question: 'How do I get a statement of everything paid in a month?',
      query: 'monthly statement',
      pages: ['receipts'],
      says: /statement/,
    },
    {
      question: 'Can I still verify a receipt in three years?',
      query: 'verify an old receipt',
      pages: ['receipts'],
      says: /key/,
    },
    {
      question: 'Do I get an invoice with VAT?',
      query: 'invoice with vat',
      pages: ['receipts', 'terms'],
      says: /invoice/,
    },
    {
      question: 'How do I match a receipt with the transaction on chain?',
      query: 'transaction hash',
      pages: ['receipts', 'how-it-works', 'paying-by-hand'],
      says: /transaction/,
    },
    {
      question: 'Which columns does the checked file get?',
      query: 'columns of the result file',
      pages: ['lists', 'cli'],
      says: /column/,
    },
  ],
  'an operator': [
    {
      question: 'How do I move from SQLite to PostgreSQL?',
      query: 'sqlite to postgres',
      pages: ['operations'],
      says: /PostgreSQL/,
    },
    {
      question: 'What do I do when the disk is full?',
      query: 'disk full',
      pages: ['runbook', 'operations'],
      says: /full/,
    },
    {
      question: 'What does it cost me to settle a call?',
      query: 'gas per settlement',
      pages: ['operations', 'how-it-works', 'channels'],
      says: /gas/,
    },
    {
      question: 'How do I refuse a payer?',
      query: 'block a payer',
      pages: ['limits'],
      says: /no payer is blocked by name/,
    },
    {
      question: 'How do I stop the service without losing a payment?',
      query: 'graceful shutdown',
      pages: ['operations'],
      says: /SIGTERM/,
    },
  ],
  'a security reviewer': [
    {
      question: 'Where are the private keys, and which process holds them?',
      query: 'private key storage',
      pages: ['security', 'operations', 'configuration'],
      says: /key/,
    },
    {
      question: 'Can a value I check end up in a log?',
      query: 'value in logs',
      pages: ['privacy'],
      says: /log/,
    },
    {
      question: 'What happens if someone replays a signed payment?',
      query: 'replay attack',
      pages: ['security', 'how-it-works', 'a2a'],
      says: /nonce|signature/,
    },
    {
      question: 'How do I check that a package was built from this source?',
      query: 'reproducible build',
      pages: ['security', 'operations', 'going-live'],
      says: /reproduc|provenance|digest|SHA-256/i,
    },
    {
      question: 'Where do I report a vulnerability?',
      query: 'report a security issue',
      pages: ['reporting', 'security'],
      says: /report/i,
    },
  ],
}
