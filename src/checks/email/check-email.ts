/**
 * Email address: the mailbox syntax that works everywhere.
 *
 * Sources: RFC 5322, 3.2.3 (dot-atom), RFC 5321, 2.3.5, 4.1.2 and 4.5.3.1 (fully qualified domain, lengths), RFC 1035,
 * 2.3.1 and RFC 1123, 2.1 (labels), RFC 3696, section 2 and erratum 1690 (numeric top-level domain, 254 octets).
 * Quoted local parts, domain literals, comments and internationalised addresses are not accepted. No DNS is asked.
 */

import { bullets } from '../mask.ts'
import { DOMAIN_LOWERCASED, stepNames, TRIMMED } from '../normalize.ts'
import { accepted, layers, NO_WARNINGS, rejected } from '../result.ts'
import type { Verdict } from '../verdict.ts'
import { CAPITAL, EMAIL_CHARS } from './chars.ts'
import { EMAIL, emailFailure } from './failure.ts'
import { isAddress } from './syntax.ts'

const PASSED = layers('passed', 'not_applicable', 'not_applicable')
/** The local part shows as three bullets whatever its length. */
const HIDDEN_LOCAL = `${bullets(3)}@`
const PUNYCODE_LABEL = /(?:^|\.)xn--/

/** Whether the value is an address; the verdict of `checkEmail` without its explanation. */
export function isEmail(value: string): boolean {
  // Few values have blanks at their ends; the others are spared the loops that look for more of them.
  const start = isTrimmed(value.charCodeAt(0)) ? trimmedStart(value) : 0
  const end = isTrimmed(value.charCodeAt(value.length - 1)) ? trimmedEnd(value, start) : value.length
  return isAddress(value, start, end)
}

/** Checks the syntax of an address. The result names the domain and never the local part. */
export function checkEmail(value: string): Verdict {
  const start = trimmedStart(value)
  const end = trimmedEnd(value, start)
  const steps = start > 0 || end < value.length ? TRIMMED : 0
  if (!isAddress(value, start, end)) return rejected(EMAIL, steps, emailFailure(value, start, end))
  const at = value.indexOf('@')
  const raw = value.slice(at + 1, end)
  const lowered = hasCapitals(raw)
  const domain = lowered ? raw.toLowerCase() : raw
  return accepted(EMAIL, HIDDEN_LOCAL + domain, {
    code: 'ok',
    ruleset: EMAIL.ruleset,
    normalization: stepNames(lowered ? steps | DOMAIN_LOWERCASED : steps),
    layers: PASSED,
    notChecked: EMAIL.notChecked,
    warnings: NO_WARNINGS,
    domain,
    labels: labelCount(domain),
    idn: PUNYCODE_LABEL.test(domain),
    subaddress: hasSubaddress(value, at),
  })
}

function trimmedStart(value: string): number {
  let start = 0
  while (start < value.length && isTrimmed(value.charCodeAt(start))) start++
  return start
}

function trimmedEnd(value: string, start: number): number {
  let end = value.length
  while (end > start && isTrimmed(value.charCodeAt(end - 1))) end--
  return end
}

/** Space, tab, CR and LF; anything else at an end belongs to the address and fails it. */
function isTrimmed(unit: number): boolean {
  return unit <= 0x20 && (unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d)
}

function hasCapitals(domain: string): boolean {
  for (let index = 0; index < domain.length; index++) {
    if ((EMAIL_CHARS[domain.charCodeAt(index)]! & CAPITAL) !== 0) return true
  }
  return false
}

function labelCount(domain: string): number {
  let labels = 1
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) labels++
  return labels
}

/** Whether the local part has a plus sign, the usual mark of a subaddress. */
function hasSubaddress(value: string, at: number): boolean {
  const plus = value.indexOf('+')
  return plus >= 0 && plus < at
}
