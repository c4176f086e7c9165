import type { Skill } from './skill.ts'

/** Returns the headings a column of a skill's values may have, as `lettersOf` spells them; the skill's id is the first. */
export const headingsOf = ({ id, words }: Skill): readonly string[] => [id, ...words.headings].map(lettersOf)

/** The form in which headings are compared: "E-mail address" is "emailaddress". */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
