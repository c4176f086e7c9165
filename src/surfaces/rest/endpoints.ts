import type { Skill } from '../../skills/skill.ts'

/** Everything below this path costs money. */
export const PAID_PREFIX = '/api/validate/'

export const LIST_SUFFIX = '/batch'

export const MIXED_LIST_PATH = `${PAID_PREFIX}batch`

/** Path of a skill's check, e.g. "/api/validate/eu-vat". */
export function endpointOf(skill: Pick<Skill, 'id'>): string {
  return `${PAID_PREFIX}${skill.id}`
}
