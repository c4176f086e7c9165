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

See which rules decide, how tests prove them and how good the advice is, and report a wrong verdict.

A valid result does not mean that an account, a person, a company or a mailbox exists (\`details.notChecked\`).

## Rules, sources and editions in force

<!-- begin: sources -->
| ruleset | decides | source | edition |
|---|---|---|---|
${all.flatMap(sourceRows).join('\n')}
<!-- end: sources -->

\`details.ruleset\` in each result names the rules ([versions](limits.md#versions)). The same value under the same ruleset gives the
same bytes, because a check reads no clock, network or random number.
Each file in \`src/checks\` cites its source, and \`SKILL.md\` in each skill's folder says what is not checked.

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
- **Mutants**: \`npm run mutate -- --folder src/checks --count 300\` changes the checks at random and runs the tests against
  each change ([proof](evidence/proof.md#random-changes)).

## Where other libraries are wrong

[Peer differences](evidence/peer-differences.md) explains every class of difference in a million made-up values of each type, and
every public vector that a library judges differently. The usual reasons:

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
- **SEPA**: compare \`SEPA_PREFIXES\` in \`src/checks/iban/registry.ts\` with the newest EPC409-09 by hand.
- **Email**: \`scripts/sources-compared.json\` has the index entry of each cited RFC. Read an RFC that replaces one first.

Then change the source's edition and date in \`skill.json\`, rename the ruleset, run \`node scripts/update-docs.ts\`, and
add a line to the changelog.

## A wrong verdict

Open an issue with the check, the ruleset, the \`details.code\`, and the title, section and date of a source that says otherwise. **Never
send a real person's identifier**: change digits until the checksum fits again, or describe it. A report with a source gets an answer
within a week. Buyers who paid for the wrong verdict within the last hour get the new one free by repeating the request.
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
seldom to tell. Of several checks the lowest share stands here; the page of a check has its own. A hint that misled is no longer sent; its code stays here and gets no other meaning.

## Hints

<!-- begin: hints -->
| code | meaning | checks | right |
|---|---|---|---|
${adviceRows(HINTS, all).join('\n')}
<!-- end: hints -->

## Warnings

<!-- begin: warnings -->
| code | meaning | checks | right |
|---|---|---|---|
${adviceRows(WARNINGS, all).join('\n')}
<!-- end: warnings -->
`
}

function sourceRows({ ruleset, sources }: Skill): string[] {
  return sources.map(
    ({ title, url, edition, date, decides }, at) =>
      `| ${at === 0 ? `\`${ruleset}\`` : ''} | ${decides} | [${title}](${url}) | ${edition}, ${date} |`,
  )
}

const comparedRow = ([id, { name, compared, with: edition, differences }]: [string, Compared]): string =>
  `| \`${id}\` | ${name} | ${compared} | ${edition} | ${differences} |`

/** A code once, with the checks that send it and the lowest of their shares; the page of a check has its own. */
function adviceRows(table: Readonly<Record<string, Advice>>, skills: readonly Skill[]): string[] {
  return Object.keys(table).map((code) => {
    const types = skills.map(({ id }) => id).filter((id) => codesOf(table, id).includes(code))
    const shares = types.map((type) => precisionOf(type, code)).filter((share) => share !== 'rare')
    const lowest = shares.toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other))[0]
    const sentBy = types.length === 0 ? 'none, no longer sent' : types.join(', ')
    return `| \`${code}\` | ${table[code]!.explanation} | ${sentBy} | ${lowest ?? (types.length === 0 ? '' : 'rare')} |`
  })
}
