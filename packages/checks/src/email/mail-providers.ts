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
  // A slip in the first letter is rare, and leaves a name such as cloud.com or ymail.com.
  const near = PROVIDERS.find((provider) => provider[0] === domain[0] && differsByOneSlip(domain, provider))
  if (near !== undefined) return REAL_DOMAINS.has(domain) ? undefined : near
  return SHORT.find((provider) => provider !== domain && repeatsOrSwaps(domain, provider))
}

/** True if the domain is one typo from the provider's: a doubled character, or an ending swapped or cut short. */
const repeatsOrSwaps = (domain: string, provider: string): boolean =>
  domain.replace(/(.)\1/g, '$1') === provider || domain.replace(/lp$|p$/, 'pl') === provider

/** Equal, or with one character more, less or replaced, or two swapped. */
function differsByOneSlip(one: string, other: string): boolean {
  let head = 0
  while (head < one.length && one[head] === other[head]) head++
  const [first, second] = [one.slice(head), other.slice(head)]
  const isOneOff =
    first === second.slice(1) || first.slice(1) === second || first.slice(1) === second.slice(1)
  return isOneOff || first.slice(1, 2) + first.slice(0, 1) + first.slice(2) === second
}
