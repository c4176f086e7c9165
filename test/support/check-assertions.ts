/**
 * The assertions that a set of checks must satisfy, without a test runner: vectors, national rules and pinned answers.
 * The mutation script runs them against every mutant.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { CHECKS } from '../../src/checks/checks.ts'
import { CHECK_TYPES, type Check, type CheckType } from '../../src/checks/verdict.ts'

type Checks = Readonly<Record<CheckType, Check>>
/** Loads a module of the checks by its path below `src/checks`. */
type Load = (path: string) => Record<string, unknown>

export interface PinnedAnswer {
  readonly type: CheckType
  readonly value: string
  /** The start of the SHA-256 of the serialised result. */
  readonly digest: string
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))

/** Values of every type and the digests of their results: the bytes promised under the rulesets in force. */
export function pinnedAnswers(): readonly PinnedAnswer[] {
  const byType: Readonly<Partial<Record<CheckType, readonly (readonly [string, string])[]>>> =
    read('answers.json')
  return CHECK_TYPES.flatMap((type) =>
    (byType[type] ?? []).map(([value, digest]) => ({ type, value, digest })),
  )
}

export function digestOf(check: Check, value: string): string {
  return createHash('sha256')
    .update(JSON.stringify(check(value)))
    .digest('hex')
    .slice(0, 12)
}

/** The results behind the digests, compared as text since that is cheaper. */
const expected = pinnedAnswers().map(({ type, value }) => ({
  type,
  value,
  text: JSON.stringify(CHECKS[type](value)),
}))

interface NationalVector {
  readonly value: string
  readonly national: string
}

const ibanNational: readonly { iban: string; national: string }[] = read('iban-national.json')
const vatNational: readonly NationalVector[] = readdirSync(
  new URL('../vectors/eu-vat', import.meta.url),
).flatMap((name) => read(`eu-vat/${name}`))

/** Whether all assertions hold; `first` names the type whose answers are looked at first. */
export function assertionsHold(checks: Checks, load: Load, first?: CheckType): boolean {
  return nationalRulesHold(load) && answersHold(checks, first)
}

function answersHold(checks: Checks, first: CheckType | undefined): boolean {
  const holds = ({ type, value, text }: (typeof expected)[number]) => {
    const verdict = checks[type](value)
    return JSON.stringify(verdict) === text && !Object.values(verdict.details).includes(undefined)
  }
  return (
    expected.every((each) => each.type !== first || holds(each)) &&
    expected.every((each) => each.type === first || holds(each))
  )
}

function nationalRulesHold(load: Load): boolean {
  const { ibanNationalCheck } = load('iban/national/national-check.ts') as {
    ibanNationalCheck: (country: string, bban: string) => string
  }
  const { MEMBER_STATES } = load('eu-vat/member-states.ts') as {
    MEMBER_STATES: ReadonlyMap<string, { national: { passes: (national: string) => boolean } }>
  }
  return (
    ibanNational.every(
      ({ iban, national }) => ibanNationalCheck(iban.slice(0, 2), iban.slice(4)) === national,
    ) &&
    vatNational.every(
      ({ value, national }) =>
        MEMBER_STATES.get(value.slice(0, 2))!.national.passes(value.slice(2)) === (national === 'passed'),
    )
  )
}
