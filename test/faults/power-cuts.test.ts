/** A few images of each case; `npm run power-cuts` opens thousands. */
import { expect, test } from 'vitest'
import { CASES } from '../power-cuts/cases.ts'
import { replayCase } from '../power-cuts/replay.ts'

const IMAGES = 120

test.each(
  CASES,
)('$name: a power cut loses nothing, and a disk that keeps nothing is noticed', async (each) => {
  for (const { control, images, losses } of await replayCase(each, IMAGES, 20_261_128)) {
    expect(images).toBeGreaterThanOrEqual(IMAGES)
    if (control === null) expect(losses).toEqual([])
    else expect([control, losses.length > 0]).toEqual([control, true])
  }
})
