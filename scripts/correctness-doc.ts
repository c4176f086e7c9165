import { readFileSync } from 'node:fs'
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

Check which rules decide, how tests prove them and what advice is worth, and report a wrong verdict.

A valid result does not mean that an account, a person, a company or a mailbox exists; \`details.notChecked\` repeats this.

## Rules, sources and editions in force

<!-- begin: sources -->
| check | ruleset | decides | source | edition | date |
|---|---|---|---|---|---|
${all.flatMap(sourceRows).join('\n')}
<!-- end: sources -->

\`details.ruleset\` in each result names the rules that judged it. The same value under the same ruleset gives the same bytes,
because no check reads a clock, a network or chance. A change that changes a result changes the name ([versions](limits.md#versions)).
The file of a rule in \`src/checks\` cites its section, and \`SKILL.md\` in each skill's folder says what is not checked.

## How the tests prove it

- **Vectors** (\`test/vectors/*.json\`, free to use): each has the value, the verdict, the code and what it shows. They are made up
  or the examples of the sources; none is a real person's identifier.
- **Second transcriptions** (\`test/vectors/transcription/\`): registry structures, VAT formats and national rules are written down
  a second time by hand, so no table is tested against itself.
- **Mistakes** (\`test/vectors/mistakes.json\`): 780 values as people mistype them, with what was meant. 312 more
  (\`mistakes-held-out.json\`) follow the descriptions in other people's help pages and were written before the hints were run
  on them. Following the hints never ends at another valid value.
- **Files** (\`test/vectors/mistakes-in-files.json\`): 1,396 values as they stand in people's files. All get a place or a hint, and 99 %
  of those that hold what was meant are mended without a person.
- **Properties**: separators and case never change a verdict where they should not; a foreign character is never ignored; every
  single wrong digit of a NIP, a PESEL and an IBAN is found. For any string a check answers quickly and repeats nothing of it.
- **Mutants**: \`npm run mutate -- --folder src/checks --count 300\` changes the checks at random and runs the tests against
  each change ([proof](evidence/proof.md#random-changes)).

## Where other libraries are wrong

[Peer differences](evidence/peer-differences.md) explains every class of difference in a million made-up values of each type, and
every public vector that a library judges otherwise. The usual reasons:

- They change the value first: case, separators, slashes, emoji, digits of other scripts.
- They check the checksum without the structure, or allow the check digits 00, 01 and 99 of an IBAN.
- They count a remainder of 10 as check digit 0 in a NIP, accept ten zeros, or ignore the date of a PESEL.
- They do not count the lengths of an email address, or narrow its local part to common characters.

## Advice

\`details.hint\` says how to mend a refused value. \`position\` is the first character that breaks a rule, and \`suspects\` are the
characters that the hint would remove. \`warnings\` are reservations about a valid value. Places count code points from 0. [Hints and
warnings](evidence/hints.md) lists every code with how often it is right.

The service prefers silence to a wrong guess, because a check digit fits by chance: in two NIPs of five with one wrong digit, some
swap of neighbours makes another company's number. It sends a hint only if the hint is right in nine of ten measured mistakes, and one
that a program can follow by itself only if the mended value fits every rule. For several identifiers in one value it sends none.

\`test/support/noise.ts\` makes ${PRECISION.values.toLocaleString('en')} mistakes of each type, as people and programs do: wrong, swapped, lost, doubled and added
characters, look-alikes, labels, quotes, separators, text behind the value, lost zeros, truncation, masks, two mistakes at once. The weights within
typing follow Verhoeff (1969) and Pollock and Zamora (1983); those between typing, pasting and programs are our own, because no one has
published them. \`node scripts/measure-advice.ts\` measures again.

<!-- begin: shares -->
| check | mended without a person | located or hinted | the nearest value would mend | and be another's |
|---|---|---|---|---|
${PRECISION.types.map(({ type, mendedShare, helpedShare, nearest }) => `| ${type} | ${[mendedShare, helpedShare, nearest?.mended, nearest?.astray].map((share) => (share === undefined ? '' : percent(share))).join(' | ')} |`).join('\n')}
<!-- end: shares -->

The rest are mostly single wrong digits, which no rule can mend. The last two columns say what a program would add if it took the only
valid value within one slip: the service makes no such guess. In eight million mistakes of other seeds, following the hints ended at
another valid value twice, so a program that follows hints by itself should show the result.

## Keep the rules current

The service looks for no newer editions by itself. Each quarter download these files and run
\`node scripts/compare-sources.ts SOURCE FILE\`, which prints each country, prefix or RFC that differs; \`--record "release 104"\`
writes the day into this table. SWIFT published releases 101, 102 and 103 in December 2025, June and September 2026.

<!-- begin: compared -->
| source | file | last compared | with | differences |
|---|---|---|---|---|
${Object.entries(readSources().compared).map(comparedRow).join('\n')}
<!-- end: compared -->

- **IBAN**: the release is one constant, \`IBAN_RELEASE\`; a test holds every published text to it.
- **SEPA**: compare \`SEPA_PREFIXES\` in \`src/checks/iban/registry.ts\` with the newest EPC409-09 by hand.
- **Email**: \`scripts/sources-compared.json\` has what the index says of each cited RFC; read an RFC that replaces one first.

Then change the source's edition and date in \`skill.json\`, give the ruleset a new name, run \`node scripts/update-docs.ts\`, and
add a line to the changelog.

## A wrong verdict

Open an issue with the check, the ruleset, the \`details.code\`, and the source that says otherwise: title, section, date. **Never
send a real person's identifier**: change digits until the checksum fits again, or describe it. A report with a source gets an answer
within a week. A buyer who paid for the wrong verdict within the
last hour gets the new one by repeating the request, at no charge.
`
}

/** Throws if a hint that a page has published is in no profile and not retired either. */
export function assertKept(page: string, table: Readonly<Record<string, unknown>>): void {
  const codes = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code = '']) => code)
  const gone = codes.filter((code) => !(code in table))
  if (gone.length > 0)
    throw new Error(`published, so to be kept in src/checks/advice/retired-hints.ts: ${gone.join(', ')}`)
}

const HINTS_PAGE = new URL('../docs/evidence/hints.md', import.meta.url)

/** docs/evidence/hints.md: every code of advice, and how often it was right. What it has published stays in it. */
export function hintsDoc({ all }: SkillRegistry): string {
  assertKept(readFileSync(HINTS_PAGE, 'utf8'), { ...HINTS, ...WARNINGS })
  return `---
reader: reviewers
---
# Hints and warnings

[Correctness](../correctness.md#advice) says when advice is sent and how it is measured. "Right" is the share of values with a code in
which following it ends at what was meant, or in which it names what had happened where it asks a person. A rare code was sent too
seldom to tell. A hint that misled is no longer sent; its code stays here and gets no other meaning.

## Hints

<!-- begin: hints -->
| code | meaning | right |
|---|---|---|
${adviceRows(HINTS, all).join('\n')}
<!-- end: hints -->

## Warnings

<!-- begin: warnings -->
| code | meaning | right |
|---|---|---|
${adviceRows(WARNINGS, all).join('\n')}
<!-- end: warnings -->
`
}

function sourceRows({ id, ruleset, sources }: Skill): string[] {
  return sources.map(
    ({ title, url, edition, date, decides }, at) =>
      `| ${at === 0 ? `${id} | \`${ruleset}\`` : '|'} | ${decides} | [${title}](${url}) | ${edition} | ${date} |`,
  )
}

const comparedRow = ([id, { name, compared, with: edition, differences }]: [string, Compared]): string =>
  `| \`${id}\` | ${name} | ${compared} | ${edition} | ${differences} |`

function adviceRows(table: Readonly<Record<string, Advice>>, skills: readonly Skill[]): string[] {
  return Object.keys(table).map((code) => {
    const types = skills.map(({ id }) => id).filter((id) => codesOf(table, id).includes(code))
    const shares = types.map((type) => `${type} ${precisionOf(type, code)}`)
    return `| \`${code}\` | ${table[code]!.explanation} | ${types.length === 0 ? 'no longer sent' : shares.join(', ')} |`
  })
}
