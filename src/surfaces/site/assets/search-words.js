/** What readers type into the search, and what the documents call it: data alone. */

/** Words that count as the same. */
export const SYNONYMS = [
  'price cost pricing fee',
  'operations hosting self-hosting deploy docker kubernetes',
  'csv excel xlsx spreadsheet upload file list lists batch bulk',
  'sandbox testnet sepolia test',
  'retention stored kept keep deleted log logged privacy',
  'rollback upgrade migrate update downgrade',
  'restore backup recovery',
  'limit limits quota throttle 429',
  'receipt receipts invoice proof',
  'replay repeat retry repeating idempotency idempotent again',
  'setting settings environment variable variables configuration config env',
  'vulnerability weakness report reporting disclosure',
  'licence license licenses licences',
  'processor processing subprocessor subprocessors dpa gdpr',
  'benchmark performance speed fast latency throughput bench',
  'wrong false incorrect correctness',
  'lost missing lose',

  'changelog changes breaking version versions versioning',
  'differ differences compare comparison library libraries',
  'cpu profile profiles memory ram',
  'rotate rotating rotation',
  'key keys secret',
  'publish publishing release listing registry',
  'contact support help mail',
].map((group) => group.split(' '))
/** Phrases that the documents write otherwise. */
export const PHRASES = new Map(
  Object.entries({
    'test network': 'sandbox',
    'test money': 'sandbox',
    'free trial': 'sandbox',
    'connection lost': 'lost answer repeat',
    'lost connection': 'lost answer repeat',
    'lost answer': 'lost answer repeat',
    'replay attack': 'same authorization repeats',
    'threat model': 'security actor',
    'paid twice': 'charged once',
    'double charge': 'charged once',
    'daily limit': 'most a day spend',
    'spending limit': 'most a day spend',
    'public key': 'verify signature key',
    'delete my data': 'retention',
    'personal data': 'gdpr',
    'data protection': 'gdpr',
    'load balancer': 'replicas proxy',
    'high availability': 'replicas',
    'hot wallet': 'settlement key gas',
    'is it down': 'status up',
    'response time': 'performance',
    'source code': 'licence',
    'open source': 'licence',
    golang: 'any language client library',
    'size of a request': 'limits of a call body',
    validator: 'where other libraries',
    'profile cpu': 'performance',
    'denial of service': 'flood unpaid requests',
    'dos attack': 'flood unpaid requests',
    'in the url': 'query string',
    'query parameter': 'query string',
    'much memory': 'sizing process',
    'disk space': 'sizing process',
    'hardware requirements': 'sizing process',
    'monthly export': 'accounting stats',
    'sales export': 'accounting stats',
  }),
)
/** What the service does not offer: how people ask for it, the answer, and the page that says so. */
export const NOT_OFFERED = [
  {
    asked: [
      'white list',
      'whitelist',
      'biała lista',
      'biala lista',
      'vies',
      'krs',
      'register lookup',
      'company name',
    ],
    answer: 'Not offered: the service asks no register, neither VIES nor the Polish white list.',
    path: '/docs/terms#what-is-sold',
  },
  {
    asked: [
      'account holder',
      'does the account exist',
      'bank account exists',
      'mailbox exists',
      'deliverability',
      'smtp',
    ],
    answer:
      'Not offered: a verdict says that a value is well formed, not that an account or a mailbox exists.',
    path: '/docs/terms#what-is-sold',
  },
  {
    asked: ['sla', 'uptime guarantee', 'availability guarantee', 'warranty'],
    answer: 'Not offered: there is no availability guarantee (SLA); the status page shows the last 90 days.',
    path: '/docs/terms#what-is-sold',
  },
  {
    asked: [
      'card payment',
      'credit card',
      'debit card',
      'pay by card',
      'stripe',
      'paypal',
      'bank transfer',
      'subscription',
    ],
    answer: 'Not offered: a call is paid in USDC by x402, not by card, bank transfer or subscription.',
    path: '/docs/wallet',
  },
  {
    asked: ['invoice', 'invoices', 'faktura', 'rechnung'],
    answer: 'Not offered: no invoices; each paid call has a signed receipt.',
    path: '/docs/receipts',
  },
  {
    asked: ['webhook', 'webhooks', 'callback', 'push notification', 'push notifications', 'streaming'],
    answer:
      'Not offered: the answer comes with the response, without webhooks, push notifications or streams.',
    path: '/docs/a2a',
  },
  {
    asked: ['block a payer', 'block an address', 'blocklist', 'deny list', 'denylist', 'ban'],
    answer: 'Not offered: no payer is blocked by name; limits hold back a client that floods.',
    path: '/docs/limits',
  },
  {
    asked: ['api key', 'api keys', 'sign up', 'login', 'register an account', 'oauth'],
    answer: 'Not needed: there are no accounts and no API keys; the payment is all a call needs.',
    path: '/docs/wallet',
  },
]
/** Words that are ignored beside others. */
export const IGNORED = new Set(
  'a an and are can do does for many much my per how i in is it of on or the to what where which with'.split(
    ' ',
  ),
)
