/**
 * Email address: the mailbox syntax that works everywhere.
 *
 * Sources: RFC 5322, 3.2.3 (dot-atom), RFC 5321, 2.3.5, 4.1.2 and 4.5.3.1 (fully qualified domain, lengths), RFC 1035,
 * 2.3.1 and RFC 1123, 2.1 (labels), RFC 3696, section 2 and erratum 1690 (numeric top-level domain, 254 octets).
 * Quoted local parts, domain literals, comments and internationalised addresses are not accepted. There is no DNS query,
 * and no look into "xn--" labels: whether one encodes a name that can be registered is for the registry to say.
 */
import { layers, type WarningOf } from '../profile.ts'
import { accepted, rejected, type VerdictOf } from '../result.ts'
import { bullets } from '../text/mask.ts'
import { DOMAIN_LOWERCASED, TRIMMED } from '../text/normalize.ts'
import { emailFailure } from './failure.ts'
import { nearMissOf } from './mail-providers.ts'
import { EMAIL } from './profile.ts'
import { isPublicProvider } from './public-providers.ts'
import { isRole } from './role.ts'
import { isTopLevelDomain } from './top-level-domains.ts'

const PASSED = layers('passed', 'not_applicable', 'not_applicable')
/** Hides the length of the local part too. */
const HIDDEN_LOCAL = `${bullets(3)}@`

const ENCODED = /^\s*(?:[^@]*\.)?xn--[^@]*@/i

/** The result names the domain and never the local part. */
export function checkEmail(value: string): VerdictOf<typeof EMAIL> {
  let start = 0
  let end = value.length
  while (start < end && isTrimmed(value.charAt(start))) start++
  while (end > start && isTrimmed(value.charAt(end - 1))) end--
  const steps = start > 0 || end < value.length ? TRIMMED : 0
  const failure = emailFailure(value, start, end)
  return failure === undefined ? acceptedEmail(value, start, end, steps) : rejected(EMAIL, steps, failure)
}

function acceptedEmail(value: string, start: number, end: number, steps: number): VerdictOf<typeof EMAIL> {
  const at = value.indexOf('@')
  const raw = value.slice(at + 1, end)
  const domain = raw.toLowerCase()
  const suggestedDomain = nearMissOf(domain)
  const facts = {
    domain,
    labels: domain.split('.').length,
    idn: /(?:^|\.)xn--/.test(domain),
    subaddress: value.lastIndexOf('+', at) >= 0,
    ...(isRole(value.slice(start, at)) && ({ role: true } as const)),
    ...(isPublicProvider(domain) && ({ publicProvider: true } as const)),
  }
  return accepted(EMAIL, domain === raw ? steps : steps | DOMAIN_LOWERCASED, HIDDEN_LOCAL + domain, {
    layers: PASSED,
    warnings: warningsOf(value, domain, suggestedDomain),
    facts: suggestedDomain === undefined ? facts : { ...facts, suggestedDomain },
  })
}

function warningsOf(
  value: string,
  domain: string,
  suggestedDomain: string | undefined,
): readonly WarningOf<typeof EMAIL>[] {
  const warnings: WarningOf<typeof EMAIL>[] = []
  if (suggestedDomain !== undefined) warnings.push('domain_typo_likely')
  else if (!isTopLevelDomain(domain.slice(domain.lastIndexOf('.') + 1))) warnings.push('tld_unknown')
  if (ENCODED.test(value)) warnings.push('xn_local_part')
  return warnings
}

const isTrimmed = (sign: string): boolean => ' \t\r\n'.includes(sign)
