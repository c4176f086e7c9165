export interface Choice {
  readonly option: 'column' | 'sheet' | 'encoding'
  readonly of: readonly string[]
}

/** A file that cannot be read as a list; the message says what was found and what to do, in words for a person. */
export class ListFault extends Error {
  override readonly name = 'ListFault'
  /** What must be said for the list to be read. */
  readonly choice: Choice | null

  constructor(message: string, choice: Choice | null = null) {
    super(message)
    this.choice = choice
  }
}
