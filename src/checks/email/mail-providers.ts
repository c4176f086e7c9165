/** Near misses of the domains of large mail providers: gmial.com, gmail.con, hotmial.com. */

/** Providers whose names are so short that many other domains are one replaced character away. */
const SHORT: readonly string[] = ['o2.pl', 'onet.pl', 'wp.pl']

/** Providers whose names are long and rare enough that one slip seldom leads to a real mail domain. */
const PROVIDERS: readonly string[] = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'interia.pl',
  'outlook.com',
  'protonmail.com',
  'seznam.cz',
  't-online.de',
  'yahoo.com',
]

/** Words and real mail domains that are one slip away from a provider; never suggested to be typos. */
const REAL_DOMAINS: ReadonlySet<string> = new Set([
  ...PROVIDERS,
  ...['gail.com', 'grail.com', 'gmall.com', 'hotmall.com', 'interna.pl', 'outlooks.com'],
])

/** `domain` must be in lower case. */
export function nearMissOf(domain: string): string | undefined {
  for (const provider of PROVIDERS) {
    // A slip in the first letter is rare, and leaves a name such as cloud.com or ymail.com.
    if (domain.charCodeAt(0) !== provider.charCodeAt(0)) continue
    if (differsByOneSlip(domain, provider)) return REAL_DOMAINS.has(domain) ? undefined : provider
  }
  return SHORT.find((provider) => provider !== domain && repeatsOrSwaps(domain, provider))
}

/** True if the domain is one typo from the provider's: a doubled character, or an ending swapped or cut short. */
function repeatsOrSwaps(domain: string, provider: string): boolean {
  // Both leave the first character; for most domains this spares the expressions, which take longer than the rest of the check.
  if (domain.charCodeAt(0) !== provider.charCodeAt(0)) return false
  return domain.replace(/(.)\1/g, '$1') === provider || domain.replace(/lp$|p$/, 'pl') === provider
}

function differsByOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let head = 0
  while (head < one.length && one.charCodeAt(head) === other.charCodeAt(head)) head++
  let tail = 0
  const room = Math.min(one.length, other.length) - head
  while (tail < room && one.charCodeAt(one.length - 1 - tail) === other.charCodeAt(other.length - 1 - tail))
    tail++
  const middle = one.length - head - tail
  const otherMiddle = other.length - head - tail
  if (middle <= 1 && otherMiddle <= 1) return true
  const isPair = middle === 2 && otherMiddle === 2
  return isPair && one.charAt(head) === other.charAt(head + 1) && one.charAt(head + 1) === other.charAt(head)
}
