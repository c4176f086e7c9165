import { defineProfile, layers } from '../profile.ts'
import * as shared from '../shared-profile.ts'
import { textLabels } from '../text/label-prefix.ts'

export const EMAIL = defineProfile({
  type: 'email',
  ruleset: 'email:rfc5321-dot-atom-8',
  aliases: ['e-mail', 'mail', 'email-address'],
  labels: textLabels('E mail', 'E mail address', 'mail', 'mailto', 'adres', 'adres e mail'),
  outline: { kind: 'text', sizes: [], fits: (text) => /^[^@\s]+@[^@\s]+$/.test(text), isTelling: true },
  mask: {
    pattern: '^•{3}@[a-z0-9.-]{3,252}$',
    words: 'three bullets, @, the domain in lower case',
  },
  notChecked: Object.freeze(['domain existence', 'deliverability']),
  normalization: ['trimmed', 'domain_lowercased'],
  codes: {
    ...shared.COMMON_CODES,
    non_ascii: 'a character outside ASCII',
    at_sign: 'not exactly one @ between two parts',
    local_empty: 'nothing before the @',
    local_too_long: 'more than 64 characters before the @',
    local_not_dot_atom: 'a character or dot that a dot-atom does not have',
    domain_empty: 'nothing after the @',
    domain_literal: 'an address in brackets',
    domain_label_length: 'a label that is empty or longer than 63',
    domain_label_chars: 'a label with other characters than letters, digits and inner hyphens',
    domain_not_qualified: 'a single label',
    domain_tld_numeric: 'the last label is all digits',
    address_too_long: 'more than 254 characters',
  },
  reasons: {
    ...{
      non_ascii: null,
      at_sign: null,
      local_too_long: null,
      local_not_dot_atom: null,
      domain_label_length: null,
      domain_label_chars: null,
      address_too_long: null,
    },
    ok: 'The local part is a dot-atom and the domain is fully qualified.',
    empty: 'The value is empty; an address has a local part, an at sign and a domain.',
    label_prefix: 'The value starts with a label; send the address alone.',
    local_empty: 'There is nothing before the at sign; an address has a local part there.',
    domain_empty: 'There is nothing after the at sign; an address has a domain there.',
    domain_literal: 'The domain is an address in brackets; only domain names are accepted.',
    domain_not_qualified:
      'The domain has one part only; a full domain has at least two with a dot between them.',
    domain_tld_numeric: 'The last part of the domain is a number; no top-level domain is.',
  },
  failedLayers: {},
  formatFailed: layers('failed', 'not_applicable', 'not_applicable'),
  hints: {
    ...shared.COMMON_HINTS,
    add_at_sign: 'There is no at sign. Ask for the whole address: name, at sign, domain.',
    add_top_level_domain: 'The domain has one part only. Add the ending, such as ".com" or ".pl".',
    compare_with_source:
      'A character has no place there, and nothing shows which one, if any, belongs there. Compare with the source; without it, ask for the address.',
    display_name: 'The address stands beside or between other words, such as a name. Send the address alone.',
    remove_quotes:
      'Quotes, or signs used like them, stand around the address. Send what stands between them.',
    trailing_dot: { words: 'The domain ends with a dot. Remove it.', mend: 'remove' },
    use_dot: {
      words: 'A comma or a foreign full stop stands where the address needs a dot. Replace it.',
      mend: 'put_dot',
    },
    use_punycode_domain:
      'The domain has a letter outside ASCII. If the source has it too, send the domain in its ASCII form, in which such parts start with "xn--".',
  },
  warnings: {
    domain_typo_likely:
      'The domain differs by one slip from that of a large mail provider. Ask before changing it.',
    tld_unknown:
      'The list of IANA, version 2026061000, has no such top-level domain. Compare the ending with the source: a new one may be missing.',
    xn_local_part:
      'The part before the at sign starts with "xn--", an encoding for domains alone. Mail goes to that very spelling; ask whether a name with other letters was meant.',
  },
  facts: {
    length: shared.lengthFact(shared.ONE_LENGTH, 'The limit.'),
    ...shared.COMMON_FACTS,
    domain: shared.textFact('The domain in lower case.'),
    labels: shared.countFact('Number of labels in the domain.', 2),
    idn: shared.flagFact('Whether a label is an internationalised one (xn--).', 'IDN'),
    subaddress: shared.flagFact('Whether the local part has a plus sign.'),
    role: shared.flagFact(
      'True if the local part is a word such as info or billing, which names no person; absent otherwise. The word is not told.',
      'Role address',
    ),
    publicProvider: shared.flagFact(
      'True if the domain gives addresses to anyone, by a reviewed list; absent otherwise, which proves nothing.',
      'Public provider',
    ),
    part: shared.choiceFact(['local', 'domain', 'address'], 'The part that failed.'),
    atSigns: shared.countFact('How many at signs the value has, when it is not one.'),
    suggestedDomain: shared.textFact(
      'The large mail provider that the domain differs from by one slip. Ask before using it.',
    ),
  },
})
