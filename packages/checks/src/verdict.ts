import { PROFILES } from './light-checks.ts'
import type { DetailsAmong, VerdictAmong } from './verdict-among.ts'

type Profiles = typeof PROFILES

/** Also the skill id and the last path segment of the REST endpoint. */
export type CheckType = keyof Profiles

export const CHECK_TYPES = Object.keys(PROFILES) as unknown as readonly [CheckType, ...CheckType[]]

export type VerdictCode = Details['code']
export type HintCode = NonNullable<Details['hint']>
export type WarningCode = Details['warnings'][number]

export const VERDICT_CODES: readonly VerdictCode[] = [
  ...new Set(Object.values(PROFILES).flatMap(({ codes }) => Object.keys(codes) as VerdictCode[])),
]

/** Members every `details` object has; each check adds its own after them. */
export type Details = DetailsAmong<Profiles[CheckType]>
export interface Verdict extends VerdictAmong<Profiles[CheckType]> {}

/** Pure: no I/O, clock, environment or randomness. Throws for no string of up to 512 code points. */
export type Check = (value: string) => Verdict
