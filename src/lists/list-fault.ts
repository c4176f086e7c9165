export interface Choice {
  readonly option: 'column' | 'sheet' | 'encoding'
  readonly of: readonly string[]
  readonly joined?: string
}

/** Thrown for a file that cannot be read as a list; the message tells a person what was found and what to do. */
export class ListFault extends Error {
  override readonly name = 'ListFault'
  readonly choice: Choice | null

  constructor(message: string, choice: Choice | null = null) {
    super(message)
    this.choice = choice
  }
}
