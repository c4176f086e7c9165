import type { Skill } from '../../skills/skill.ts'

/** Everything below this path costs money. */
export const PAID_PREFIX = '/api/validate/'

/** Path of a skill's check, e.g. "/api/validate/eu-vat". */
export function endpointOf(skill: Pick<Skill, 'id'>): string {
  return `${PAID_PREFIX}${skill.id}`
}
