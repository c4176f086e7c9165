/** Why a value is no email address: the first rule that it breaks, in order of precedence. */
import { characterClassAt, codePointIndex } from '../character-class.ts'
import { hasLabelPrefix } from '../label-prefix.ts'
import { type Failure, layers, type Profile } from '../result.ts'
import { ALNUM, ATEXT, EMAIL_CHARS } from './chars.ts'
import { ADDRESS_LIMIT, FULL_STOP, HYPHEN, LABEL_LIMIT, LOCAL_LIMIT } from './syntax.ts'

export const EMAIL: Profile = {
  type: 'email',
  ruleset: 'email:rfc5321-dot-atom-1',
  notChecked: Object.freeze(['domain existence', 'deliverability']),
  reasons: {
    ok: 'The local part is a dot-atom and the domain is fully qualified.',
    empty: 'The value is empty.',
    label_prefix: 'The value starts with a label; send the address alone.',
    non_ascii: 'The address has a character outside ASCII; internationalised addresses are not accepted.',
    at_sign: 'An address has exactly one at sign.',
    local_empty: 'Nothing stands before the at sign.',
    local_too_long: 'The part before the at sign may have at most 64 characters.',
    local_not_dot_atom:
      'The part before the at sign is not a dot-atom: letters, digits and some signs, with single dots between them.',
    domain_empty: 'Nothing stands after the at sign.',
    domain_literal: 'An address in brackets instead of a domain name is not accepted.',
    domain_label_length: 'Every part of the domain between two dots has 1 to 63 characters.',
    domain_label_chars: 'The parts of a domain have letters, digits and inner hyphens only.',
    domain_not_qualified: 'The domain has to be fully qualified: at least two parts with a dot between them.',
    domain_tld_numeric: 'The last part of the domain is a number.',
    address_too_long: 'An address may have at most 254 characters.',
  },
  failedLayers: {},
  formatFailed: layers('failed', 'not_applicable', 'not_applicable'),
}

const LOCAL = { part: 'local' }
const DOMAIN = { part: 'domain' }
const ADDRESS = { part: 'address' }

/** Describes why the characters from `start` to `end` of the raw value are no address. */
export function emailFailure(value: string, start: number, end: number): Failure {
  if (start === end) return { code: 'empty' }
  if (hasLabelPrefix(value)) return { code: 'label_prefix' }
  const at = value.indexOf('@', start)
  const foreign = nonAsciiIndex(value, start, end)
  if (foreign >= 0) return nonAscii(value, foreign, at)
  if (at < 0 || value.indexOf('@', at + 1) >= 0) return { code: 'at_sign', more: ADDRESS }
  return (
    localFailure(value, start, at) ??
    domainFailure(value, at + 1, end) ?? {
      code: 'address_too_long',
      length: { expected: ADDRESS_LIMIT, actual: end - start },
      more: ADDRESS,
    }
  )
}

function nonAsciiIndex(value: string, start: number, end: number): number {
  for (let index = start; index < end; index++) if (value.charCodeAt(index) > 0x7f) return index
  return -1
}

function nonAscii(value: string, index: number, at: number): Failure {
  const inDomain = at >= 0 && index > at
  return {
    code: 'non_ascii',
    hint: inDomain ? 'use_punycode_domain' : undefined,
    position: codePointIndex(value, index),
    characterClass: characterClassAt(value, index),
    more: inDomain ? DOMAIN : at < 0 ? ADDRESS : LOCAL,
  }
}

function localFailure(value: string, start: number, at: number): Failure | undefined {
  const size = at - start
  if (size === 0) return { code: 'local_empty', more: LOCAL }
  if (size > LOCAL_LIMIT) {
    return { code: 'local_too_long', length: { expected: LOCAL_LIMIT, actual: size }, more: LOCAL }
  }
  const misfit = dotAtomMisfit(value, start, at)
  return misfit < 0 ? undefined : { code: 'local_not_dot_atom', position: misfit, more: LOCAL }
}

/** Index of the first character at which the local part stops being a dot-atom, or -1. */
function dotAtomMisfit(value: string, start: number, at: number): number {
  let afterDot = true
  for (let index = start; index < at; index++) {
    const unit = value.charCodeAt(index)
    const isDot = unit === FULL_STOP
    if (isDot ? afterDot : (EMAIL_CHARS[unit]! & ATEXT) === 0) return index
    afterDot = isDot
  }
  return afterDot ? at - 1 : -1
}

function domainFailure(value: string, from: number, end: number): Failure | undefined {
  const domain = value.slice(from, end)
  if (domain === '') return { code: 'domain_empty', more: DOMAIN }
  if (domain.startsWith('[')) return { code: 'domain_literal', more: DOMAIN }
  const labels = domain.split('.')
  const unfit = labels.find((label) => label.length === 0 || label.length > LABEL_LIMIT)
  if (unfit !== undefined) return labelLength(unfit.length, domain.endsWith('.'))
  const misfit = labelMisfit(domain)
  if (misfit >= 0) return { code: 'domain_label_chars', position: from + misfit, more: DOMAIN }
  if (labels.length < 2) return { code: 'domain_not_qualified', more: DOMAIN }
  return isNumber(labels.at(-1)!) ? { code: 'domain_tld_numeric', more: DOMAIN } : undefined
}

function labelLength(actual: number, trailingDot: boolean): Failure {
  return {
    code: 'domain_label_length',
    hint: actual === 0 && trailingDot ? 'trailing_dot' : undefined,
    length: { expected: LABEL_LIMIT, actual },
    more: DOMAIN,
  }
}

/** Index of the first character that no label may have where it stands, or -1. */
function labelMisfit(domain: string): number {
  for (let index = 0; index < domain.length; index++) {
    const unit = domain.charCodeAt(index)
    if (unit === FULL_STOP || (EMAIL_CHARS[unit]! & ALNUM) !== 0) continue
    const inner = isInner(domain.charCodeAt(index - 1)) && isInner(domain.charCodeAt(index + 1))
    if (unit !== HYPHEN || !inner) return index
  }
  return -1
}

/** Whether this neighbour of a hyphen keeps it inside its label. */
function isInner(unit: number): boolean {
  return unit === HYPHEN || (EMAIL_CHARS[unit] ?? 0) !== 0
}

function isNumber(label: string): boolean {
  return /^\d+$/.test(label)
}
