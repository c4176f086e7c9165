import { DOORS, DOORS_AS_WRITTEN } from './checks-entries.ts'
import rooms from './rooms.json' with { type: 'json' }

/** A room of `src` and its doors: the files that other rooms may import. What stands beside them is the room's own. */
export interface Room {
  /** `heart`: what a paid check needs. `wing`: what can be read later, and left out. */
  readonly part: 'heart' | 'wing'
  readonly does: string
  /** Paths in the room. Another door needs a reason in its commit; one that nothing imports goes. */
  readonly doors: readonly string[]
  /** How many names other rooms may import, beside those with a reason. */
  readonly most?: number
  readonly reasons?: Readonly<Record<string, string>>
}

/** The doors of the checks are what their package exports. */
export const ROOMS = {
  ...rooms,
  checks: { ...rooms.checks, doors: DOORS },
} as Readonly<Record<string, Room>>

/** Files of the heart that import from a wing all the same. The list shrinks: `app` and `main` put the two together. */
export const BRIDGES: readonly string[] = [
  'surfaces/a2a/protocol/payment-metadata.ts',
  'surfaces/rest/channel.ts',
]

/** For docs/how-it-works.md. */
export function roomLines(): string {
  const lines = Object.entries(ROOMS).map(([name, { part, does, doors, reasons = {} }]) => {
    const reasoned = Map.groupBy(Object.keys(reasons), (each) => reasons[each])
    const beyond = [...reasoned].map(([reason, names]) => `; ${listed(names)}: ${reason}`)
    // A check more changes no text.
    const shown = doors === DOORS ? DOORS_AS_WRITTEN : doors
    return `| \`${name}\` | ${part}: ${does} | ${listed(shown.map(withoutEnding))}${beyond.join('')} |`
  })
  return [
    '| room | part, and what it does | doors; names beyond the bound, with the reason |',
    '|---|---|---|',
    ...lines,
  ].join('\n')
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
const withoutEnding = (door: string) => door.replace(/\.ts$/, '')
