import type { SkillRegistry } from '../../catalog/skill.ts'

/** What the service checks, e.g. "IBANs, EU VAT numbers, Polish IDs and email addresses". */
export function checkedThings({ all }: SkillRegistry): string {
  const names = all.map(({ name }) => name)
  const polish = names.filter((name) => name.startsWith('Polish '))
  const things = [
    ...new Set(
      names.map((name) => (polish.length > 1 && polish.includes(name) ? 'Polish IDs' : plural(name))),
    ),
  ]
  const last = things.pop() ?? ''
  return things.length === 0 ? last : `${things.join(', ')} and ${last}`
}

/** The name of a skill is written as in the middle of a sentence: "Polish NIP", "email address". */
const plural = (name: string): string => (name.endsWith('s') ? `${name}es` : `${name}s`)
