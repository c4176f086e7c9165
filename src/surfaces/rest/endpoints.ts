import type { Skill } from '../../catalog/skill.ts'
import { PATHS } from '../call/paths.ts'

export const LIST_SUFFIX = '/batch'

export const endpointOf = ({ id }: Skill): string => `${PATHS.validate}${id}`
