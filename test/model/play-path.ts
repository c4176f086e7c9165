import type { Edge } from '../../model/search.ts'
import type { HeldCall, Stage } from '../simulation/stage.ts'

/** Thrown when the code does what the model does not know. */
export class Divergence extends Error {
  override readonly name = 'Divergence'
}

/** Plays one path of a model's graph, step by step; what a step throws becomes a {@link Divergence} with the way to it. */
export async function playPath(path: readonly Edge[], play: (edge: Edge) => Promise<void>): Promise<void> {
  for (const [index, edge] of path.entries()) {
    try {
      await play(edge)
    } catch (error) {
      const trace = path.slice(0, index + 1).map(({ action }) => action)
      throw new Divergence(`${(error as Error).message}\nafter: ${trace.join('; ')}`, { cause: error })
    }
  }
}

/** The one call that a replica waits with. */
export function heldBy(stage: Pick<Stage, 'held'>, replica: number): HeldCall {
  const held = stage.held.filter((each) => each.replica === replica)
  if (held.length !== 1) throw new Error(`replica ${replica} holds ${held.length} calls`)
  return held[0] as HeldCall
}
