import type { Skill, SkillRegistry } from '../src/catalog/skill.ts'
import { type Advice, codesOf, HINTS, WARNINGS } from '../src/checks/advice/hints.ts'
import { type Compared, readSources } from './compare-sources.ts'
import { PRECISION, percent, precisionOf } from './skill-tables.ts'

/** docs/correctness.md, from the skills: rulesets, sources, editions and dates are written down there alone. */
export function correctnessDoc({ all }: SkillRegistry): string {
  return `---
reader: reviewers
---
# Correctness

What a verdict rests on, how tests hold it, and how to report a wrong one. The tables are generated from \`skills/*/skill.json\`
by \`node scripts/update-docs.ts\`.

## Rules, sources and editions in force

<!-- begin: sources -->
| check | ruleset | decides | source | edition | date |
|---|---|---|---|---|---|
${all.flatMap(sourceRows).join('\n')}
<!-- end: sources -->

A rule's own file in \`src/checks\` cites the section it follows; \`SKILL.md\` in each skill's folder says what is not checked.

\`details.ruleset\` in each result names the rules it was judged by. A change that changes a result changes that name, and a
repeat of an earlier payment that is answered under a newer name says so in \`X-Ruleset-Changed\`. The same value under the
same ruleset gives the same bytes: no check reads a clock, a network or chance.

A result does not say that an account, a person, a company or a mailbox exists; \`details.notChecked\` repeats this.

## Keeping the rules current

The service looks for no newer editions by itself. The table above and the status page name those in force; each quarter,
download these files and run \`node scripts/compare-sources.ts SOURCE FILE\`. It prints each country, prefix or RFC that
differs; \`--record "release 104"\` writes the day into this table. SWIFT has published releases 101, 102 and 103 in
December 2025, June and September 2026.

<!-- begin: compared -->
| source | file | last compared | with | differences |
|---|---|---|---|---|
${Object.entries(readSources().compared).map(comparedRow).join('\n')}
<!-- end: compared -->

- **IBAN**: the release is one constant, \`IBAN_RELEASE\`; a test holds every published text to it.
- **SEPA**: compare \`SEPA_PREFIXES\` in \`src/checks/iban/registry.ts\` with the newest EPC409-09 by hand.
- **VAT**: structures that the notes of question 11 narrow down are in the script, with the reason.
- **Email**: what the index says of each cited RFC is in \`scripts/sources-compared.json\`; an RFC that replaces or updates
  one is read before it goes there.
- Then change the source's edition and date in \`skill.json\`, give the ruleset a new name, run
  \`node scripts/update-docs.ts\`, and add a line to the changelog.

## How the tests hold it

- **Vectors** (\`test/vectors/*.json\`, free to use): each has the value, the verdict, the code and what it shows. No real
  person's identifier is among them; they are made up or the examples of the sources.
- **Second transcriptions**: registry structures, VAT formats and national rules are written down a second time by hand
  (\`test/vectors/transcription/\`), so that a table is never tested against itself.
- **Mistakes** (\`test/vectors/mistakes.json\`): 780 values as people mistype them, with what was meant, and 312 more
  (\`mistakes-held-out.json\`) written after the descriptions in other people's help pages before the hints were run on
  them. Following the hints ends at no other valid value.
- **Files** (\`test/vectors/mistakes-in-files.json\`): 1,396 values as they stand in people's files, written before the hints
  were run on them. All have a place or a hint, and 99 % of those that hold what was meant are mended without a person.
- **Advice** ([below](#advice)): each hint is measured on ${PRECISION.values.toLocaleString('en')} mistakes of each type.
- **Properties**: separators and case never change a verdict where they should not; a foreign character is never ignored;
  every single wrong digit of a NIP, a PESEL and an IBAN is found.
- **Noise**: for any string a check answers, quickly, and repeats nothing of it but a letter or digit that is taken for another.
- **Mutants**: \`npm run mutate -- --folder src/checks --count 300\` changes the checks at random and runs the tests against
  each change ([proof](evidence/proof.md#random-changes)).

## Other libraries

[Where well-known libraries differ](evidence/peer-differences.md) explains every class of difference that
a million made-up values of each type show, and every public vector that a library judges otherwise. The usual reasons:

- upper-casing before looking at the characters, so that U+FB01, one character, becomes FI and passes for Finland;
- dropping every character that is neither letter nor digit, so that slashes, emoji and invisible characters pass;
- checking the checksum without the structure, so that letters pass where the registry has digits;
- no range for the check digits of an IBAN, so that 00, 01 and 99 pass, which equal 97, 98 and 02 modulo 97;
- counting a remainder of 10 as check digit 0 in a NIP, or accepting ten zeros;
- ignoring a PESEL's date, or comparing it with today;
- accepting digits of other scripts;
- not counting the lengths of an email address, or narrowing its local part to common characters.

## Advice

\`details.hint\` says how to mend a refused value, \`position\` is the first character that breaks a rule, \`suspects\` are
characters whose removal the hint speaks of, and \`warnings\` are reservations about a valid value. Places are counted in code
points from 0.

Advice prefers silence to a wrong guess, since a check digit fits by chance: in two NIPs of five with one wrong digit,
some swap of neighbours makes another company's number. A hint is sent only if it is right in nine of ten mistakes of the noise
model (\`test/support/noise.ts\`), and a hint that a program can follow by itself only if the mended value fits every rule,
national check digits included. Where that fails there is no hint, and \`suspects\` is empty.
Of several identifiers in one value none is pointed at, also if one of them is mistyped.

The model breaks valid values as people and programs do: wrong, swapped, lost, doubled and added characters, look-alikes,
neighbours on the keyboard, labels, quotes, other separators and scripts, text behind the value, lost zeros, truncation, masks,
numbers of another kind, two mistakes at once. Within typing the weights follow Verhoeff (Error Detecting Decimal Codes,
1969) and Pollock and Zamora (Collection and characterization of spelling errors, 1983). How often typing, pasting and programs
are at fault is published nowhere; those weights are our own. \`node scripts/measure-advice.ts\` measures again.

<!-- begin: shares -->
| check | mended without a person | located or hinted | the nearest value would mend | and be another's |
|---|---|---|---|---|
${PRECISION.types.map(({ type, mendedShare, helpedShare, nearest }) => `| ${type} | ${[mendedShare, helpedShare, nearest?.mended, nearest?.astray].map((share) => (share === undefined ? '' : percent(share))).join(' | ')} |`).join('\n')}
<!-- end: shares -->

The rest are mostly single wrong digits, which no rule can mend: \`length\` does not count here. The last two
columns say what a program would add that took the only valid value within one slip, where there is one: such a guess is not
made. Following the hints of these values ends at no other valid value. In eight million mistakes of other seeds, with
some of which the hints were made, two did, each a value with two mistakes that fits by chance: a program that follows hints by
itself should show the result. "Right" below is the share of values with that code in which following it ends at what was meant, or in which it names what had happened where it asks a person.

### Hints

<!-- begin: hints -->
| code | meaning | right |
|---|---|---|
${adviceRows(HINTS, all).join('\n')}
<!-- end: hints -->

### Warnings

<!-- begin: warnings -->
| code | meaning | right |
|---|---|---|
${adviceRows(WARNINGS, all).join('\n')}
<!-- end: warnings -->

## A wrong verdict

Open an issue with the check, the ruleset, the \`details.code\`, and the source that says otherwise: title, section,
date. **Never send a real person's identifier**: change digits until the checksum fits again, or describe it. Reports
with a source get an answer within a week. A vector comes first, then the rule, then a new ruleset name and a line in
the changelog. A buyer who paid for a wrong verdict within the last hour gets the new one by repeating the request, at no
charge.
`
}

function sourceRows({ id, ruleset, sources }: Skill): string[] {
  return sources.map(
    ({ title, url, edition, date, decides }) =>
      `| ${id} | \`${ruleset}\` | ${decides} | [${title}](${url}) | ${edition} | ${date} |`,
  )
}

const comparedRow = ([id, { name, compared, with: edition, differences }]: [string, Compared]): string =>
  `| \`${id}\` | ${name} | ${compared} | ${edition} | ${differences} |`

function adviceRows(table: Readonly<Record<string, Advice>>, skills: readonly Skill[]): string[] {
  return Object.keys(table).map((code) => {
    const types = skills.map(({ id }) => id).filter((id) => codesOf(table, id).includes(code))
    const shares = types.map((type) => `${type} ${precisionOf(type, code)}`)
    return `| \`${code}\` | ${table[code]!.explanation} | ${shares.join(', ')} |`
  })
}
