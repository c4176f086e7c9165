import { type Advice, codesOf, HINTS, WARNINGS } from 'format-checker-checks/hints'
import { BANK_LISTS } from '../packages/checks/src/iban/bank-lists.ts'
import type { Skill, SkillRegistry } from '../src/catalog/skill.ts'
import { SOURCE } from '../src/files/source.ts'
import { type Compared, readSources } from './compare-sources.ts'
import { csvTable } from './csv-table.ts'
import { PRECISION, percent, precisionOf } from './skill-tables.ts'
import { whereToSayWrong } from './source-doc.ts'

/** docs/correctness.md, from the skills: rulesets, sources, editions and dates are written down there alone. */
export function correctnessDoc(): string {
  return `---
reader: reviewers
---
# Correctness

See which rules decide, how tests prove them and how good the advice is, and report a wrong verdict.

A valid result does not mean that an account, a person, a company or a mailbox exists (\`details.notChecked\`).

## Rules, sources and editions in force

[Each ruleset with its standards, laws, registries and lists, and their editions](evidence/sources.csv): the SWIFT IBAN Registry, VIES,
Polish acts, RFCs, lists of banks. The page of a check links to its own. [Known offline](known-offline.md) has what follows from them.

\`details.ruleset\` in each result names the rules ([versions](limits.md#versions)). The same value under the same ruleset gives the
same bytes, because a check reads no clock, network or random number.
Each file in \`packages/checks/src\` cites its source, and \`SKILL.md\` in each skill's folder says what is not checked.

## How the tests prove it

- **Vectors** (\`test/vectors/*.json\`, free to use) have a value, its verdict, its code and what it shows. They are made up
  or the sources' examples; none is a real person's identifier.
- **Second transcriptions** (\`test/vectors/transcription/\`) repeat registry structures, VAT formats and national rules by hand, so no
  table is tested against itself.
- **Mistakes** (\`test/vectors/mistakes.json\`) are 780 mistyped values, with what was meant. 312 more
  (\`mistakes-held-out.json\`) follow other people's help pages and were written before the hints were run
  on them. Following the hints never leads to another valid value.
- **Files** (\`test/vectors/mistakes-in-files.json\`) have 1,405 values as people's files hold them. All get a place or a hint, and 99 %
  of those that hold what was meant are corrected automatically.
- **Properties**: separators and case change no verdict where they should not; no foreign character is ignored; every
  single wrong digit of a NIP, a PESEL and an IBAN is found. For any string a check answers quickly and repeats nothing of it.
- **Mutants**: \`npm run mutate -- --folder packages/checks/src --count 300\` changes the checks at random and runs the tests against
  each change ([proof](evidence/proof.md#random-changes)).

## Where other libraries are wrong

[Peer differences](evidence/peer-differences.md) has how often libraries judge otherwise, compared once, and why. The usual reasons:

- They change the value first: case, separators, slashes, emoji, digits of other scripts.
- They check the checksum without the structure, or allow the check digits 00, 01 and 99 of an IBAN.
- They count a remainder of 10 as check digit 0 in a NIP, accept ten zeros, or ignore the date of a PESEL.
- They ignore the lengths of an email address, or narrow its local part to common characters.

## Advice

\`details.hint\` says how to correct a refused value. \`position\` is the first character that breaks a rule, \`suspects\` are the
characters that the hint would remove, and \`warnings\` are doubts about a valid value. Positions count code points from 0. [Hints and
warnings](evidence/hints.md) lists every code with how often it is right.

The service sends a hint only if it is right in nine of ten measured mistakes, because a check digit fits by chance: in two NIPs of five
with one wrong digit, swapping two neighbours makes another company's number. A hint that a program can follow also needs a corrected
value that fits every rule. A value that holds several identifiers gets no hint.

\`test/support/noise.ts\` makes ${PRECISION.values.toLocaleString('en')} mistakes of each type, as people and programs do: wrong, swapped, lost, doubled and added
characters, look-alikes, labels, quotes, separators, trailing text, lost zeros, truncation, masks, two mistakes at once. The weights of
typing mistakes follow Verhoeff (1969) and Pollock and Zamora (1983). Those between typing, pasting and programs are our own, because no
one has published them. \`node scripts/measure-advice.ts\` measures again.

<!-- begin: shares -->
| check | corrected automatically | located or hinted | the nearest value is right | is another's |
|---|---|---|---|---|
${PRECISION.types.map(({ type, mendedShare, helpedShare, nearest }) => `| ${type} | ${[mendedShare, helpedShare, nearest?.mended, nearest?.astray].map((share) => (share === undefined ? '' : percent(share))).join(' | ')} |`).join('\n')}
<!-- end: shares -->

The rest are mostly single wrong digits, which no rule can correct. The last two columns show what a program would gain and lose by taking
the only valid value within one slip; the service makes no such guess. In eight million mistakes of other seeds, following the hints led to
another valid value twice, so a program that follows hints should show the result.

## Keep the rules current

Each quarter download these files and run \`node scripts/compare-sources.ts SOURCE FILE\`, because the service does not look for new
editions. The script prints each country, prefix or RFC that differs; \`--record "release 104"\` writes the day into this table. SWIFT
published releases 101, 102 and 103 in December 2025, June and September 2026.

<!-- begin: compared -->
| source | file | last compared | with | differences |
|---|---|---|---|---|
${Object.entries(readSources().compared).map(comparedRow).join('\n')}
<!-- end: compared -->

- **IBAN**: set the release in \`IBAN_RELEASE\`; a test compares every published text with it.
- **SEPA**: compare \`SEPA_PREFIXES\` in \`packages/checks/src/iban/registry.ts\` with the newest EPC409-09 by hand.
- **Email**: \`scripts/sources-compared.json\` has the index entry of each cited RFC. Read an RFC that replaces one first.

Then change the source's edition and date in \`skill.json\`, rename the ruleset, run \`node scripts/update-docs.ts\`, and
add a line to the changelog.

## A wrong verdict

${whereToSayWrong(SOURCE)} with the check, the ruleset, the \`details.code\`, and the title, section and date of a source that says otherwise. **Never
send a real person's identifier**: change digits until the checksum fits again, or describe it. A report with a source gets an answer
within a week. Buyers who paid for the wrong verdict within the last hour get the new one free by repeating the request.
`
}

/** docs/evidence/hints.csv: every code of advice, and how often it was right. */
export const adviceTable = ({ all }: SkillRegistry): string =>
  csvTable(
    ['kind', 'code', 'meaning', 'checks', 'right'],
    [...adviceRows('hint', HINTS, all), ...adviceRows('warning', WARNINGS, all)],
  )

/** docs/evidence/hints.md, the page beside it. */
export const hintsDoc = (): string => `---
reader: reviewers
---
# Hints and warnings

[Each code with its meaning, its checks and how often it was right](hints.csv): ${Object.keys(HINTS).length} hints and ${Object.keys(WARNINGS).length} warnings. The page
of a check explains those that it sends.

[Correctness](../correctness.md#advice) says when advice is sent and how it is measured. "Right" is the share of values with a code in
which following it ends at what was meant, or in which it names what had happened where it asks a person. A rare code was sent too
seldom to tell. The table shows the lowest share of all checks; the page of a check shows its own. A hint that misled is no longer sent; its code stays here and gets no other meaning.
`

/** docs/evidence/sources.csv: what decides, by whom, and since when. */
export const sourcesTable = ({ all }: SkillRegistry): string =>
  csvTable(
    ['ruleset', 'decides', 'source', 'edition', 'date', 'address'],
    all.flatMap(({ ruleset, sources }) =>
      sources.map(({ title, url, edition, date, decides }) => [
        ...[ruleset, decides, title, edition, date, url],
      ]),
    ),
  )

const BANK_DAYS = Object.entries(BANK_LISTS)
  .map(([country, { asOf }]) => `${country} ${asOf}`)
  .join(', ')

/** docs/known-offline.md: what one call tells, and from when it is. */
export function knownOfflineDoc({ all }: SkillRegistry): string {
  const dayOf = (type: string, part: string) =>
    all.find(({ id }) => id === type)!.sources.find(({ decides }) => decides.includes(part))!.date
  return `---
reader: buyers
---
# Known offline

What one call says of a valid value, from rules and dated lists. It asks no register, bank, DNS or mail server, and says none of it
of a refused value.

| check | a result says | it does not say |
|---|---|---|
| IBAN | country, SEPA, EEA (not of FR); where bank, branch and account stand; QR-IBAN; national check digits, where one rule holds for every account of the country; bank and BIC of ${Object.keys(BANK_LISTS).length} countries | that bank or account exist, and whose account it is |
| EU VAT | state, structure, its check digits; person or entity (CZ, ES, SE); the register number inside (BE, BG, CZ, FI, FR, HR, PL, RO, SE) | that VIES knows it; the name |
| NIP, REGON | check digits; tax office; unit or branch | that a register has it |
| PESEL | birth date, sex | whose it is |
| email | domain, plus tag, IDN; a slip of a large provider; an ending that does not exist; role address; public provider | that domain or mailbox exist; throw-away domains, since lists of them grow stale in months |

Days: IBAN registry ${dayOf('iban', 'lengths')}, VIES ${dayOf('eu-vat', 'structures')}, endings ${dayOf('email', 'tld_unknown')}, public providers 2026-11-28, banks ${BANK_DAYS}.

\`entity\` does not free a VAT number from data protection: a company may have a person's name. Members that are true or absent, such as
\`role\`, prove nothing by their absence. What a result leaves hidden stands in [privacy](privacy.md#what-a-result-says).
`
}

const comparedRow = ([id, { name, compared, with: edition, differences }]: [string, Compared]): string =>
  `| \`${id}\` | ${name} | ${compared} | ${edition} | ${differences} |`

/** A code once, with the checks that send it and the lowest of their shares; the page of a check has its own. */
function adviceRows(
  kind: string,
  table: Readonly<Record<string, Advice>>,
  skills: readonly Skill[],
): string[][] {
  return Object.keys(table).map((code) => {
    const types = skills.map(({ id }) => id).filter((id) => codesOf(table, id).includes(code))
    const shares = types.map((type) => precisionOf(type, code)).filter((share) => share !== 'rare')
    const lowest = shares.toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other))[0]
    const sentBy = types.length === 0 ? 'none, no longer sent' : types.join(', ')
    return [kind, code, table[code]!.explanation, sentBy, lowest ?? (types.length === 0 ? '' : 'rare')]
  })
}
