/** Measures advice on the mistakes of the noise model: how often it leads to what was meant, and how often elsewhere. */
import { readFileSync } from 'node:fs'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType, Verdict } from 'format-checker-checks/verdict'
import { compactOf, editDistance, followHint, followHints, validWithinOneSlip } from './mend.ts'
import { type NoisyValue, noisyValues } from './noise.ts'

/** What one piece of advice of a check is worth. */
export interface Precision {
  readonly type: CheckType
  /** A code of `HINTS` or `WARNINGS`, "position" or "suspects". */
  readonly code: string
  /** Whether a program can follow it without asking anybody. */
  readonly isMechanical: boolean
  said: number
  /** Following it ends at what was meant, or, where a person is asked, it names what had happened. */
  right: number
  /** Following it ends at another valid value. */
  astray: number
}

export interface Measurement {
  readonly type: CheckType
  readonly advice: readonly Precision[]
  readonly refused: number
  /** Of the refused values that hold all that was meant: those that end at it without a person. */
  readonly mendedShare: number
  /** Of the refused values: those with a position, a suspect or a hint. */
  readonly helpedShare: number
  readonly astray: readonly NoisyValue[]
}

/** What had happened where a hint asks a person and is right. */
const CAUSES: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../vectors/advice-causes.json', import.meta.url), 'utf8'),
)

const isSame = (type: CheckType, one: string, other: string) =>
  compactOf(type, one).toLowerCase() === compactOf(type, other).toLowerCase()

export function measureAdvice(type: CheckType, count: number, seed: number): Measurement {
  const found = new Map<string, Precision>()
  const astray: NoisyValue[] = []
  let [refused, whole, mended, helped] = [0, 0, 0, 0]
  const note = (code: string, isMechanical: boolean, isRight: boolean, isAstray: boolean) => {
    const row = found.get(code) ?? { type, code, isMechanical, said: 0, right: 0, astray: 0 }
    found.set(code, row)
    row.said++
    if (isRight) row.right++
    if (isAstray) row.astray++
  }
  for (const noisy of noisyValues(type, count, seed)) {
    const verdict = CHECKS[type](noisy.value)
    const { hint, position, suspects = [], suggestedDomain } = verdict.details
    if (verdict.valid) {
      if (suggestedDomain !== undefined)
        note('domain_typo_likely', false, noisy.meant?.endsWith(`@${suggestedDomain}`) === true, false)
      continue
    }
    refused++
    if (!noisy.isLost) whole++
    if (position !== undefined || suspects.length > 0 || hint !== undefined) helped++
    const end = followHints(type, noisy.value)
    const isMeant = noisy.meant !== null && isSame(type, end, noisy.meant)
    const isAstray = !isMeant && CHECKS[type](end).valid
    if (isMeant && !noisy.isLost) mended++
    if (isAstray) astray.push(noisy)
    const isMechanical = followHint(type, noisy.value, verdict.details) !== noisy.value
    if (hint !== undefined) {
      note(hint, isMechanical, isMechanical ? isMeant : namesCause(noisy, verdict), isAstray)
    }
    if (position !== undefined && !isMechanical) note('position', false, isPlace(noisy, position), false)
    if (suspects.length > 0 && hint === undefined) note('suspects', false, isSwap(noisy, suspects[0]!), false)
  }
  const advice = [...found.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  return { type, advice, refused, mendedShare: mended / whole, helpedShare: helped / refused, astray }
}

/** Of values that hold all that was meant: shares that the only valid value within one slip would mend, and lead astray. */
export function measureNearest(
  type: CheckType,
  count: number,
  seed: number,
): { mended: number; astray: number } {
  const whole = noisyValues(type, count, seed).filter(
    ({ value, isLost }) => !isLost && !CHECKS[type](value).valid,
  )
  let [mended, astray] = [0, 0]
  for (const { value, meant } of whole) {
    if (CHECKS[type](followHints(type, value)).valid) continue
    const [nearest, ...others] = validWithinOneSlip(type, value)
    if (nearest === undefined || others.length > 0) continue
    if (isSame(type, nearest, meant ?? '')) mended++
    else astray++
  }
  return { mended: mended / whole.length, astray: astray / whole.length }
}

function namesCause(noisy: NoisyValue, { details }: Verdict): boolean {
  const { slip, value, meant, type } = noisy
  const { hint = '', suspects = [], position } = details
  // It says nothing but where to look.
  if (hint === 'compare_with_source') return position !== undefined && isPlace(noisy, position)
  if (hint === 'extra_character') return [...value].toSpliced(suspects[0]!, 1).join('') === meant
  // The prefix is what is said to be wrong.
  if (hint === 'check_prefix' || hint === 'check_country_code')
    return meant === null || compactOf(type, value).slice(0, 2) !== meant.slice(0, 2)
  return CAUSES[hint]?.includes(slip) === true
}

/** Whether a change at the position leads closer to what was meant. */
function isPlace({ value, meant }: NoisyValue, position: number): boolean {
  if (meant === null) return true
  const [points, goal] = [[...value.toUpperCase()], meant.toUpperCase()]
  const before = editDistance(points.join(''), goal)
  const signs = ['', ...new Set(goal)]
  return signs
    .flatMap((sign) => [
      points.with(position, sign),
      points.toSpliced(position, 0, sign),
      points.toSpliced(position + 1, 1, sign),
      points.toSpliced(position, 2, points[position + 1] ?? '', points[position] ?? ''),
    ])
    .some((change) => editDistance(change.join(''), goal) < before)
}

function isSwap({ value, meant }: NoisyValue, at: number): boolean {
  return value.slice(0, at) + value.charAt(at + 1) + value.charAt(at) + value.slice(at + 2) === meant
}
