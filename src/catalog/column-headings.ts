import { isText } from 'format-checker-checks/internal/profile'
import { joinedWords } from 'format-checker-checks/internal/text/heading-words'
import words from './heading-words.json' with { type: 'json' }
import type { Skill } from './skill.ts'

/** Words of headings that no type owns: who a column belongs to, and what makes it no column of values. */
export const HEADING_WORDS = words

/** What a list is searched for: headings of the skill, and the look of its values. */
export const listCheckOf = (skill: Skill) => ({ ...checkColumnsOf(skill), words: HEADING_WORDS })

/** The same without the words that every type shares. */
export const checkColumnsOf = (skill: Skill) => ({
  id: skill.id,
  headings: headingsOf(skill),
  isText: isText(skill),
  shortest: skill.outline.shortest ?? 6,
})

/** The skill's id is the first. */
export const headingsOf = ({ id, headings }: Skill): readonly string[] => [id, ...headings].map(joinedWords)
