import type { Example, Skill } from '../../skills/skill.ts'

/** The first worked example with that outcome; throws where a skill has none. */
export function exampleOf({ id, examples }: Skill, valid: boolean): Example {
  const found = examples.find(({ output }) => output.valid === valid)
  if (found === undefined) throw new Error(`skills/${id} has no ${valid ? 'valid' : 'invalid'} example`)
  return found
}
