import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compactOf, editDistance, followHints } from '../../../test/support/mend.ts'
import { type Mistake, slipsOf } from '../../../test/support/slips.ts'
import { vectors } from '../../../test/support/vectors.ts'
import { CHECKS } from '../src/checks.ts'
import { CHECK_TYPES, type CheckType, type Details } from '../src/verdict.ts'

const read = (name: string): readonly Mistake[] =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/${name}.json`, import.meta.url), 'utf8'))

type Recoverable = Mistake & { readonly meant: string }

const isRefused = ({ type, value }: Mistake) => !CHECKS[type](value).valid
const isRecoverable = (mistake: Mistake): mistake is Recoverable => mistake.meant !== null

const hasPlace = ({ position, length, suspects = [] }: Details) =>
  position !== undefined || length !== undefined || suspects.length > 0
const isHelped = (details: Details) => details.hint !== undefined || hasPlace(details)

const ofType = (mistakes: readonly Mistake[], type: CheckType) =>
  mistakes.filter((each) => each.type === type)

/** Those of a type's own file, too. */
const written: readonly Mistake[] = [
  ...read('mistakes'),
  ...CHECK_TYPES.flatMap((type) =>
    vectors(type).flatMap(({ value, note, meant }) =>
      meant === undefined ? [] : [{ type, mistake: note, value, meant }],
    ),
  ),
]
/** Types with few mistakes of their own, to which slips are added that are made from their vectors. */
const FEW = CHECK_TYPES.filter((type) => ofType(written, type).length < 80)
const MANY = CHECK_TYPES.filter((type) => !FEW.includes(type))

/** A Finnish account number of old, which many other numbers look like. */
const NOT_TOLD = new Set(['123456-785'])

test('every type has mistakes that people wrote down', () => {
  for (const type of CHECK_TYPES) expect(ofType(written, type).length, type).toBeGreaterThanOrEqual(8)
})

interface Table {
  readonly name: string
  readonly mistakes: readonly Mistake[]
  readonly types: readonly CheckType[]
  readonly ofEach: number
  /** Share of the refused ones with a place or a hint; no rule locates a single wrong digit. */
  readonly located: number
}

/** Three tables: one that the hints were made with, two written before they were run against them. */
describe.each<Table>([
  {
    name: 'mistakes',
    mistakes: [...written, ...FEW.flatMap(slipsOf)],
    types: CHECK_TYPES,
    ofEach: 80,
    located: 0.8,
  },
  {
    name: 'mistakes-held-out',
    mistakes: read('mistakes-held-out'),
    types: MANY,
    ofEach: 25,
    located: 0.94,
  },
  {
    name: 'mistakes-in-files',
    mistakes: read('mistakes-in-files'),
    types: MANY,
    ofEach: 100,
    located: 0.99,
  },
])('$name', ({ mistakes, types, ofEach, located }) => {
  const refused = mistakes.filter(isRefused)
  const recoverable = refused.filter(isRecoverable)

  test('every type has its mistakes, and what was meant is valid', () => {
    for (const type of types)
      expect(ofType(mistakes, type).length, type).toBeGreaterThanOrEqual(FEW.includes(type) ? 20 : ofEach)
    const invalid = mistakes.filter(isRecoverable).filter(({ type, meant }) => !CHECKS[type](meant).valid)
    expect(invalid).toEqual([])
  })

  test('every mistake is refused or warned of', () => {
    const unnoticed = mistakes.filter(({ type, value }) => {
      const { valid, details } = CHECKS[type](value)
      return valid && details.warnings.length === 0
    })
    expect(unnoticed).toEqual([])
  })

  test('most refused mistakes have a place or a way to mend them', () => {
    const helpless = refused.filter(({ type, value }) => !isHelped(CHECKS[type](value).details))
    expect(helpless.length / refused.length).toBeLessThanOrEqual(1 - located)
  })

  test('following the hints never leads away from what was meant', () => {
    const worse = recoverable.filter(({ type, value, meant }) => {
      const goal = compactOf(type, meant)
      const before = editDistance(compactOf(type, value), goal)
      return editDistance(compactOf(type, followHints(type, value)), goal) > before
    })
    expect(worse).toEqual([])
  })

  test('following the hints never ends in a valid value without warnings that was not meant', () => {
    const wrong = recoverable.filter(({ type, value, meant }) => {
      const mended = followHints(type, value)
      const { valid, details } = CHECKS[type](mended)
      return valid && details.warnings.length === 0 && compactOf(type, mended) !== compactOf(type, meant)
    })
    expect(wrong).toEqual([])
  })

  test('a position names a character of the value whose change can lead closer to what was meant', () => {
    const astray = recoverable.filter(({ type, value, meant }) => {
      const { position, hint } = CHECKS[type](value).details
      // Behind a whole value there is nothing to mend.
      if (position === undefined || hint === 'remove_text_behind') return false
      const [points, before] = [
        [...value.toUpperCase()],
        editDistance(value.toUpperCase(), meant.toUpperCase()),
      ]
      const changes = ['', ...new Set(meant.toUpperCase())].flatMap((each) => [
        points.with(position, each),
        points.toSpliced(position, 0, each),
        // A prefix is named by the position of its first letter.
        points.toSpliced(position + 1, 1, each),
        points.toSpliced(position, 2, points[position + 1] ?? '', points[position] ?? ''),
      ])
      return !changes.some((change) => editDistance(change.join(''), meant.toUpperCase()) < before)
    })
    // Of a VAT number with two lengths, the shorter with a digit too many has the longer's misfit.
    expect(astray.length / recoverable.length).toBeLessThan(0.005)
  })
})

test('a swap is never proposed: as many wrong digits look like one', () => {
  const proposed = [...read('mistakes'), ...read('mistakes-held-out')].filter(({ type, value }) => {
    const { code, suspects = [] } = CHECKS[type](value).details
    return code.startsWith('checksum') && suspects.length > 0
  })
  expect(proposed).toEqual([])
})

describe('values as they stand in files', () => {
  const inFiles: readonly (Mistake & { readonly hint?: string })[] = read('mistakes-in-files')

  test.each(inFiles.filter(({ hint }) => hint !== undefined))('$type: $mistake: $value is $hint', (each) => {
    if (NOT_TOLD.has(each.value)) return
    const { hint, warnings } = CHECKS[each.type](each.value).details
    expect(hint ?? warnings[0]).toBe(each.hint)
  })

  test('99 of 100 that hold what was meant are mended without a person', () => {
    const whole = inFiles.filter(isRecoverable)
    const mended = whole.filter(
      ({ type, value, meant }) => compactOf(type, followHints(type, value)) === compactOf(type, meant),
    )
    expect(mended.length / whole.length).toBeGreaterThanOrEqual(0.99)
  })

  test('of several values, none is pointed at, and no hint leads to one of them', () => {
    const several = inFiles.filter(({ mistake }) => mistake === 'several values')
    const pointed = several.filter(
      ({ type, value }) =>
        hasPlace({ ...CHECKS[type](value).details, length: undefined } as never) ||
        followHints(type, value) !== value,
    )
    expect(several.length).toBeGreaterThan(400)
    expect(pointed).toEqual([])
  })
})
