/** The domain of an address: LDH labels by RFC 1035, 2.3.1 and RFC 1123, 2.1, fully qualified by RFC 5321, 2.3.5. */
import { areDigits } from '../arithmetic/decimal.ts'
import type { FailureOf } from '../result.ts'
import type { EMAIL } from './profile.ts'
import { isNearTopLevelDomain, isTopLevelDomain } from './top-level-domains.ts'

type Failure = FailureOf<typeof EMAIL>

/** RFC 1035, 2.3.4, in octets. */
const LABEL_LIMIT = 63

const FOREIGN = /[^a-z0-9.-]|(?<=^|\.)-|-(?=\.|$)/i

export const DOMAIN = { part: 'domain' } as const

/** Judges the characters from `from` to `end` (exclusive) of the raw value. */
export function domainFailure(value: string, from: number, end: number): Failure | undefined {
  if (from === end) return { code: 'domain_empty', position: from - 1, more: DOMAIN }
  if (value.charAt(from) === '[') return { code: 'domain_literal', position: from, more: DOMAIN }
  const domain = value.slice(from, end)
  let label = from
  for (const { length } of domain.split('.')) {
    if (length === 0) return emptyLabel(value, label, from, end)
    if (length > LABEL_LIMIT) return longLabel(label, length)
    label += length + 1
  }
  const misfit = domain.search(FOREIGN)
  return misfit < 0 ? topLevelFailure(value, from, end) : foreignInDomain(value, from + misfit, from, end)
}

function emptyLabel(value: string, label: number, from: number, end: number): Failure {
  const isTrailing = label === end
  const position = label === from ? label : isTrailing ? end - 1 : label
  const top = value.slice(value.lastIndexOf('.', end - 2) + 1, end - 1)
  const isQualified = value.lastIndexOf('.', end - 2) >= from
  return {
    code: 'domain_label_length',
    reason: `The domain has a dot too many at character ${position + 1}; each part between two dots has 1 to ${LABEL_LIMIT} characters.`,
    hint:
      isTrailing && !isQualified
        ? 'add_top_level_domain'
        : isTrailing && isTopLevelDomain(top)
          ? 'trailing_dot'
          : 'compare_with_source',
    position,
    more: DOMAIN,
  }
}

function longLabel(label: number, size: number): Failure {
  return {
    code: 'domain_label_length',
    reason: `The part of the domain from character ${label + 1} on has ${size} characters; at most ${LABEL_LIMIT} are allowed.`,
    length: { expected: LABEL_LIMIT, actual: size },
    position: label,
    more: DOMAIN,
  }
}

function foreignInDomain(value: string, position: number, from: number, end: number): Failure {
  const character = value.charAt(position)
  return {
    code: 'domain_label_chars',
    reason:
      character === '-'
        ? `Character ${position + 1} is a hyphen at the edge of a part of the domain; hyphens stand inside.`
        : `Character ${position + 1} is not allowed; a domain has letters, digits, dots and inner hyphens only.`,
    hint: isCommaForDot(value.slice(from, end)) ? 'use_dot' : 'compare_with_source',
    position,
    more: DOMAIN,
  }
}

/** Whether a comma stands in front of the last label, and in place of no letter of it. */
function isCommaForDot(domain: string): boolean {
  const [, label = '', top = ''] = /(?:^|\.)([a-z0-9-]+),([a-z0-9-]+)$/i.exec(domain) ?? []
  return isTopLevelDomain(top) && (!domain.includes('.') || !isNearTopLevelDomain(label, top))
}

function topLevelFailure(value: string, from: number, end: number): Failure | undefined {
  const lastDot = value.lastIndexOf('.', end)
  if (lastDot < from) {
    return { code: 'domain_not_qualified', hint: 'add_top_level_domain', more: DOMAIN }
  }
  if (!areDigits(value, lastDot + 1, end)) return undefined
  return { code: 'domain_tld_numeric', position: lastDot + 1, more: DOMAIN }
}
