export interface OptionSpec {
  readonly short?: string
  /** What help calls its value, e.g. `URL`; an option without it takes none. */
  readonly value?: string
  /** If it is given again: refused, or all are kept; by default the last one counts. */
  readonly again?: 'refused' | 'kept'
  readonly choices?: readonly string[]
  readonly default?: string
  readonly help: string
}

export interface CommandSpec {
  readonly summary: string
  /** Usage lines without the program's name. */
  readonly usage: readonly string[]
  /** Paragraphs; help breaks the lines. */
  readonly description: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly positionals?: true
  readonly notes?: readonly string[]
}

export const RESULT_OPTIONS = {
  json: { help: 'print the result as JSON' },
  quiet: { short: 'q', help: 'print the result and errors only' },
} as const satisfies Readonly<Record<string, OptionSpec>>
