import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { idnaTable } from '../../../scripts/write-idna-table.ts'
import { checkEmail } from '../../../src/checks/email/check-email.ts'
import { isIn } from '../../../src/checks/email/code-points.ts'
import { UNICODE_VERSION } from '../../../src/checks/email/idna-table.ts'

const labels: Readonly<Record<'allowed' | 'refusedByDirection' | 'refused', readonly string[]>> = JSON.parse(
  readFileSync(new URL('../../vectors/idna-labels.json', import.meta.url), 'utf8'),
)
const isIdn = (label: string) => checkEmail(`jan@${label}.com`).details.idn

describe('labels of internationalised domains', () => {
  test('those that IDNA 2008 allows are IDN', () => {
    expect(labels.allowed.filter((label) => isIdn(label) !== true)).toEqual([])
  })

  test('those that RFC 5892 or RFC 5893 refuses are not', () => {
    const refused = [...labels.refused, ...labels.refusedByDirection]
    expect(refused.filter((label) => isIdn(label) !== false)).toEqual([])
  })

  test('a code point that Unicode 16.0 lacks is refused by every engine', () => {
    expect(UNICODE_VERSION).toBe('16.0')
    // U+0C5C came with Unicode 17.0.
    expect(['\u0c5b', '\u0c5c', '\u0c5d'].map((character) => isIn('permitted', character))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('the table is what an engine of its edition, or a newer one, says', () => {
    const written = new Map(
      [...idnaTable().matchAll(/^ {2}(\w+):\n {4}'([^']*)'/gm)].map(([, name, ranges]) => [
        name,
        pointsOf(ranges!),
      ]),
    )
    expect(written.size).toBe(6)
    const permitted = written.get('permitted')!
    let missing = 0
    for (let point = 0; point <= 0x10ffff; point++) {
      const is = isIn('permitted', String.fromCodePoint(point))
      if (is && !permitted.has(point)) throw new Error(`U+${point.toString(16)} is not permitted`)
      if (!is && permitted.has(point)) missing++
    }
    // Unicode 17.0 has 4,803 characters more, not all of them letters.
    expect(missing).toBeLessThan(4_803)
  })
})

/** The code points of ranges that say by turns how many it lacks and how many it has. */
function pointsOf(ranges: string): ReadonlySet<number> {
  const points = new Set<number>()
  let point = 0
  ranges.split(' ').forEach((text, index) => {
    const end = point + Number.parseInt(text, 36)
    if (index % 2 === 1) for (let each = point; each < end; each++) points.add(each)
    point = end
  })
  return points
}
