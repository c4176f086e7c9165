import type { Example, Skill } from '../../catalog/skill.ts'

/** Returns the first example with that outcome; throws if a skill has no such example. */
export function exampleOf({ id, examples }: Skill, valid: boolean): Example {
  const found = examples.find(({ output }) => output.valid === valid)
  if (found === undefined) throw new Error(`skills/${id} has no ${valid ? 'valid' : 'invalid'} example`)
  return found
}
