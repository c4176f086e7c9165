/**
 * Writes `src/checks/email/idna-table.ts`, so that a result does not depend on the engine's edition of Unicode.
 *
 * Run it with the oldest Node that the checks support (`npx node@22.18.0 scripts/write-idna-table.ts`): every engine then
 * composes the code points of the table alike, since Unicode never changes how an assigned one is composed.
 */
import { writeFileSync } from 'node:fs'

/** RFC 5892, 2.6: permitted although their case folding differs, or although they are no letters or digits. */
const ALWAYS = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/
/** RFC 5892, 2.3 and 2.4: ignorable code points; marks for symbols and musical notation. */
const IGNORABLE = /^(?:\p{Default_Ignorable_Code_Point}|[\u20d0-\u20ff]|[\u{1d100}-\u{1d24f}])$/u
/** RFC 5892, 2.6 and 2.9: fillers, tone marks and old Hangul jamo, never permitted. */
const NEVER = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/
const LETTER_OR_DIGIT = /^[\p{Lu}\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u

function isPermitted(character: string): boolean {
  if (/^[a-z0-9-]$/.test(character) || ALWAYS.test(character)) return true
  if (IGNORABLE.test(character) || NEVER.test(character)) return false
  return LETTER_OR_DIGIT.test(character) && isStable(character)
}

/** RFC 5892, 2.2: unchanged by compatibility composition and case folding. */
function isStable(character: string): boolean {
  return caseFolded(character.normalize('NFKC')).normalize('NFKC') === character
}

/** Unicode, CaseFolding.txt: by way of the capitals; but Cherokee folds to capitals, and the dotless i stays. */
function caseFolded(text: string): string {
  if (text === '\u0131') return text
  const capitals = text.toUpperCase()
  return /^\p{Script=Cherokee}/u.test(text) ? capitals : capitals.toLowerCase()
}

/** Which code points each table has; the Hebrew ones with the signs that depend on their context. */
const TABLES: Readonly<Record<string, (character: string) => boolean>> = {
  permitted: isPermitted,
  spacing: (character) => isPermitted(character) && /\p{Mc}/u.test(character),
  nonspacing: (character) => isPermitted(character) && /\p{Mn}/u.test(character),
  greek: (character) => isPermitted(character) && /\p{Script=Greek}/u.test(character),
  hebrew: (character) =>
    /[\u05f3\u05f4]/.test(character) || (isPermitted(character) && /\p{Script=Hebrew}/u.test(character)),
  japanese: (character) =>
    isPermitted(character) && /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(character),
}

/** The ranges of a table: by turns how many code points it lacks and how many it has, in base 36. */
function rangesOf(isIn: (character: string) => boolean): string {
  const lengths: number[] = []
  let [since, has] = [0, false]
  for (let point = 0; point <= 0x10ffff; point++) {
    const is = (point < 0xd800 || point > 0xdfff) && isIn(String.fromCodePoint(point))
    if (is === has) continue
    lengths.push(point - since)
    since = point
    has = is
  }
  return lengths.map((length) => length.toString(36)).join(' ')
}

export function idnaTable(): string {
  const rows = Object.entries(TABLES).map(([name, isIn]) => `  ${name}:\n    '${rangesOf(isIn)}',`)
  return `/** Written by \`scripts/write-idna-table.ts\`: the code points that RFC 5892 permits, and what its rules in context ask for. */

export const UNICODE_VERSION = '${process.versions.unicode}'

/** By turns how many code points a table lacks and how many it has, in base 36. */
export const RANGES = {
${rows.join('\n')}
} as const
`
}

// Node 22.18 has no import.meta.main.
if (process.argv[1]?.endsWith('write-idna-table.ts') === true)
  writeFileSync(new URL('../src/checks/email/idna-table.ts', import.meta.url), idnaTable())
