import rooms from './rooms.json' with { type: 'json' }

/** A room of `src` and its doors: the files that other rooms may import. What stands beside them is the room's own. */
export interface Room {
  /** `heart`: what a paid check needs. `wing`: what can be read later, and left out. */
  readonly part: 'heart' | 'wing'
  readonly does: string
  /** Paths in the room. Another door needs a reason in its commit; one that nothing imports goes. */
  readonly doors: readonly string[]
}

export const ROOMS = rooms as Readonly<Record<string, Room>>

/** Files of the heart that import from a wing all the same. The list shrinks: `app` and `main` put the two together. */
export const BRIDGES: readonly string[] = [
  'surfaces/a2a/request/payment-metadata.ts',
  'surfaces/rest/channel.ts',
  'surfaces/rest/routes.ts',
]

/** For docs/how-it-works.md. */
export function roomNames(): string {
  const named = (part: Room['part']) =>
    Object.entries(ROOMS)
      .filter(([, room]) => room.part === part)
      .map(([name]) => `\`${name}\``)
      .join(', ')
  return `- Heart: ${named('heart')}.\n- Wings: ${named('wing')}.`
}
