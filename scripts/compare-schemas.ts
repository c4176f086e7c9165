/**
 * Compares the output schemas with those of the last release, or of the last `--accept` before the first one:
 *
 *   node scripts/compare-schemas.ts            prints a line for each place where a validating client would refuse an answer
 *   node scripts/compare-schemas.ts --accept   keeps the schemas of today, as a release does
 *
 * Exits with 1 if there is such a place.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { outputSchema } from './skill-files.ts'

type Schema = Readonly<Record<string, unknown>>

const RELEASED = new URL('released-schemas.generated.json', import.meta.url)

/** Keywords that only describe. */
const SAID = ['title', 'description', 'examples']
/** Keywords of a bound, and whether another value of it takes what the old one takes at most. */
const BOUNDS: Readonly<Record<string, (now: number, old: number) => boolean>> = {
  minimum: (now, old) => now >= old,
  minLength: (now, old) => now >= old,
  minItems: (now, old) => now >= old,
  maximum: (now, old) => now <= old,
  maxLength: (now, old) => now <= old,
  maxItems: (now, old) => now <= old,
}

/** The places, as paths of members, where `old` may refuse what `now` describes. */
export function breaks(old: Schema, now: Schema, path: string): readonly string[] {
  return Object.keys(old).flatMap((keyword) => {
    if (SAID.includes(keyword)) return []
    const [before, after] = [old[keyword], now[keyword]]
    switch (keyword) {
      case 'properties':
        return membersIn(before).flatMap(([name, schema]) => {
          const member = (after as Schema | undefined)?.[name]
          return member === undefined ? [] : breaks(schema, member as Schema, `${path}.${name}`)
        })
      case 'items':
        return breaks(before as Schema, (after ?? {}) as Schema, `${path}[]`)
      case 'required':
        return missing(before, after).map((name) => `${path}.${name}: no longer always present`)
      case 'additionalProperties': {
        const added = missing(
          Object.keys((now.properties ?? {}) as Schema),
          Object.keys(old.properties ?? {}),
        )
        return before === false ? added.map((name) => `${path}.${name}: added to a closed object`) : []
      }
      case 'type':
      case 'enum':
        return missing(after ?? (now.const === undefined ? ['anything'] : [now.const]), before).map(
          (value) => `${path}: may now be ${value}`,
        )
      default:
        return BOUNDS[keyword]?.(Number(after), Number(before)) || isDeepStrictEqual(after, before)
          ? []
          : [`${path}: ${keyword} has changed`]
    }
  })
}

const membersIn = (properties: unknown) => Object.entries(properties as Record<string, Schema>)

/** What of the first list, or of the one word, the second has not; an integer is a number. */
const missing = (words: unknown, among: unknown): readonly string[] => {
  const known = [among].flat()
  return ([words].flat() as string[]).filter(
    (word) => !known.includes(word) && !(word === 'integer' && known.includes('number')),
  )
}

const today = () => Object.fromEntries(CHECK_TYPES.map((type) => [type, outputSchema(type) as Schema]))

/** A type that was not released is new to every client. */
export function breaksSinceRelease(): readonly string[] {
  const released: Readonly<Record<string, Schema>> = JSON.parse(readFileSync(RELEASED, 'utf8'))
  const now: Readonly<Record<string, Schema>> = today()
  return Object.entries(released).flatMap(([type, old]) =>
    now[type] === undefined ? [`${type}: no longer published`] : breaks(old, now[type], type),
  )
}

if (import.meta.main) {
  if (process.argv.includes('--accept')) writeFileSync(RELEASED, `${JSON.stringify(today(), null, 2)}\n`)
  const found = breaksSinceRelease()
  for (const line of found) console.error(`would break a client that validates: ${line}`)
  process.exitCode = found.length === 0 ? 0 : 1
}
