/**
 * Measures every hint on mistakes of the noise model and writes `test/vectors/advice-precision.json`, from which the
 * documents take their tables: `node scripts/measure-advice.ts`. Run it after hints or the model have changed, then
 * `node scripts/update-docs.ts`.
 */
import { writeFileSync } from 'node:fs'
import { PROFILES } from 'format-checker-checks'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { measureAdvice, measureNearest } from '../test/support/advice-precision.ts'

const VALUES = 20_000
const SEED = 20261123
/** All that a value can be with one change is looked at, so fewer of them. */
const NEAREST_VALUES = 3_000

const rows = CHECK_TYPES.map((type) => {
  const { astray, mendedShare, helpedShare, ...rest } = measureAdvice(type, VALUES, SEED)
  const share = (part: number) => Math.round(part * 1_000) / 1_000
  const nearest =
    PROFILES[type].outline.kind === 'text' ? undefined : measureNearest(type, NEAREST_VALUES, SEED)
  return {
    ...rest,
    mendedShare: share(mendedShare),
    helpedShare: share(helpedShare),
    astray: astray.length,
    ...(nearest && { nearest: { mended: share(nearest.mended), astray: share(nearest.astray) } }),
  }
})
const file = new URL('../test/vectors/advice-precision.json', import.meta.url)
writeFileSync(file, `${JSON.stringify({ values: VALUES, seed: SEED, types: rows }, null, 2)}\n`)
for (const { type, mendedShare, helpedShare, astray, advice } of rows) {
  console.log(`${type}: mended ${mendedShare}, helped ${helpedShare}, astray ${astray}`)
  for (const { code, said, right, astray: led } of advice)
    if (right / said < 0.9 || led > 0) console.log(`  ${code}: right ${right} of ${said}, astray ${led}`)
}
