import type { Skill } from './skill.ts'

/** The skill's id is the first. */
export const headingsOf = ({ id, words }: Skill): readonly string[] => [id, ...words.headings].map(lettersOf)

/** The form in which headings are compared: "E-mail address" is "emailaddress". */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
