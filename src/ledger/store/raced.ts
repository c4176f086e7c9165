/** Thrown in a transaction to roll it back: another writer was faster. */
export class Raced extends Error {
  override readonly name = 'Raced'
}

/** What was written; after a lost race, what `answer` returns. */
export const orRaced = <P extends Promise<unknown>>(
  writing: P,
  answer: () => Awaited<P> | Promise<Awaited<P>>,
): P =>
  writing.catch((error: unknown) => {
    if (!(error instanceof Raced)) throw error
    return answer()
  }) as P
