import type { Skill } from './skill.ts'

/** Returns the headings of columns with values of a skill, as letters, those of its id first. */
export const headingsOf = ({ id, words }: Pick<Skill, 'id' | 'words'>): readonly string[] =>
  [id, ...words.headings].map(lettersOf)

/** A heading as it is compared: its letters in lower case. */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
