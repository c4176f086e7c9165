import { editDistance } from '../values/edit-distance.ts'

/** Shorter names resemble variables of other programs: HOST is one slip away from HOME. */
const SHORTEST = 6
/** From this length on, two mistakes still point to one setting only. */
const LONG = 10

/**
 * One fault line for each variable that looks like a misspelt setting, e.g. RPC_ULR: a setting that is silently ignored
 * could send money the wrong way. The line holds no value.
 */
export function findMisspelt(
  known: readonly string[],
  environment: Readonly<Record<string, unknown>>,
): string[] {
  const names = [...known, ...known.map((name) => `${name}_FILE`)]
  const exact = new Set(names)
  return Object.keys(environment)
    .filter((name) => !exact.has(name))
    .flatMap((name) => {
      const meant =
        names.find((each) => isWrittenAs(name, each)) ??
        names.find((each) => isLong(name) && isLong(each) && isNear(name, each))
      return meant === undefined ? [] : [`${name}: is not a setting; did you mean ${meant}?`]
    })
}

const isLong = (name: string) => name.length >= SHORTEST

/**
 * True for PAYTO and pay_to (PAY_TO), and for FACILITATOR (FACILITATOR_URL). A setting of one word must be exact: other
 * programs have variables like it.
 */
function isWrittenAs(name: string, setting: string): boolean {
  const spelled = letters(name)
  const short = setting.replace(/_URL$/, '')
  return (
    (setting.includes('_') && spelled === letters(setting)) ||
    (short !== setting && isLong(short) && spelled === letters(short))
  )
}

const letters = (name: string) => name.replaceAll(/[-_.]/g, '').toUpperCase()

function isNear(a: string, b: string): boolean {
  const mistakes = b.length >= LONG ? 2 : 1
  // Names that differ more in length need not be compared.
  return Math.abs(a.length - b.length) <= mistakes && editDistance(a, b) <= mistakes
}
