/** Codes whose own words say too little beside a row of a list. */
const WORDS: Readonly<Record<string, string>> = {
  ok: 'Nothing wrong',
  checksum: 'Check digits do not fit',
  length: 'Wrong length',
  structure: 'Letter or digit misplaced',
  at_sign: 'Not exactly one @',
  non_ascii: 'Letter outside ASCII',
  local_empty: 'Nothing before the @',
  local_too_long: 'Too long before the @',
  local_not_dot_atom: 'Character before the @',
  domain_empty: 'Nothing after the @',
  domain_literal: 'Address in brackets',
  domain_label_length: 'Length of a domain label',
  domain_label_chars: 'Character in the domain',
  domain_not_qualified: 'Domain without a dot',
  domain_tld_numeric: 'Domain ends in digits',
}

/** A published code in words, for people; one of another version in its own: "date_wrong" is "Date wrong". */
export function codeInWords(code: string): string {
  const words = Object.hasOwn(WORDS, code) ? (WORDS[code] ?? '') : code.replaceAll('_', ' ')
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
