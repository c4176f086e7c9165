/** Mutants that change no answer, with the reason; each pattern matches "path: change". */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(iban\/check-iban|eu-vat\/check-eu-vat|pl\/check-\w+)\.ts: `0` → `1`$/,
    'the steps of a value refused for a foreign character are never shown',
  ],
  [
    /^iban\/registry\.ts: `\d` → `\d`$/,
    'a position beyond the BBAN, or one that the next segment overwrites; the transcription test holds bank positions',
  ],
  [/^iban\/suspects\.ts: /, 'the arithmetic only preselects; every candidate is judged in full afterwards'],
  [
    /^(iban\/judge-iban|eu-vat\/format)\.ts: (`0` → `1`|`<` → `<=`)$/,
    'the prefix always fits, and nothing follows the end',
  ],
  [/^pl\/(pesel|regon)-digits\.ts: `!areDigits/, 'the scan has let only digits through'],
  [/^email\/address-chars\.ts: `0x80` → `129`$/, 'no address reaches a character outside ASCII'],
]

/** Why a surviving mutant changes no answer; undefined when it could. */
export function reasonOf(survivor: { readonly path: string; readonly change: string }): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(`${survivor.path}: ${survivor.change}`))?.[1]
}
