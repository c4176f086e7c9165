import type { Skill } from '../../catalog/skill.ts'
import { PATHS } from '../call/paths.ts'

/** Every path below is paid. */
export const PAID_PREFIX = PATHS.validate

export const LIST_SUFFIX = '/batch'

export const MIXED_LIST_PATH = `${PAID_PREFIX}batch`

/** The path of a check, e.g. "/api/validate/eu-vat". */
export const endpointOf = ({ id }: Skill): string => `${PAID_PREFIX}${id}`
