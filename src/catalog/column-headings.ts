import { isText } from '../checks/profile.ts'
import type { Skill } from './skill.ts'

/** What a list is searched for: headings of the skill, and the look of its values. */
export const listCheckOf = (skill: Skill) => ({
  id: skill.id,
  headings: headingsOf(skill),
  isText: isText(skill),
  shortest: skill.outline.shortest ?? 6,
})

/** The skill's id is the first. */
export const headingsOf = ({ id, headings }: Skill): readonly string[] => [id, ...headings].map(lettersOf)

/** The form in which headings are compared: "E-mail address" is "emailaddress". */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
