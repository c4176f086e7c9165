/** Thrown in a transaction to roll it back: another writer was faster. */
export class Raced extends Error {
  override readonly name = 'Raced'
}

/** Runs a transaction; after a lost race, `answer` runs outside of it. */
export async function orRaced<T>(run: () => Promise<T>, answer: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Raced)) throw error
    return answer()
  }
}
