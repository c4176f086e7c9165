/** What the service checks, in one phrase made from the registry. */
import type { SkillRegistry } from '../../skills/skill.ts'

/** E.g. "IBANs, EU VAT numbers, Polish IDs and email addresses". */
export function checkedThings({ all }: SkillRegistry): string {
  const names = all.map(({ title }) => title.replace(/ check$/, ''))
  const polish = names.filter((name) => name.startsWith('Polish '))
  const things = [
    ...new Set(
      names.map((name) => (polish.length > 1 && polish.includes(name) ? 'Polish IDs' : plural(name))),
    ),
  ]
  const last = things.pop() ?? ''
  return things.length === 0 ? last : `${things.join(', ')} and ${last}`
}

/** Capitals stay where the whole word is an abbreviation. */
function plural(name: string): string {
  const inSentence =
    /^[A-Z][a-z]/.test(name) && !name.startsWith('Polish ')
      ? name.charAt(0).toLowerCase() + name.slice(1)
      : name
  return inSentence.endsWith('s') ? `${inSentence}es` : `${inSentence}s`
}
