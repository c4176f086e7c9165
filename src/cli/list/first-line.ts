import { UsageError } from '../command-line/usage-error.ts'

export interface Preamble {
  /** The delimiter that it names. */
  readonly delimiter: string | undefined
  readonly length: number
}

/** Spreadsheets write the delimiter (`sep=;`) above the header, PowerShell the type of its objects. */
const PREAMBLE = /^(?:"?sep=(.)"?|#TYPE [^\r\n]*)(?:\r\n|\n|\r)/i

/** Finds such a line above a CSV; null without one. */
export function findPreamble(sample: string): Preamble | null {
  const found = PREAMBLE.exec(sample)
  return found && { delimiter: found[1], length: found[0].length }
}

/** Text in brackets may also be a name, as SQL Server writes it, or a value. */
const JSON_START = /^(?:\[\s*(?:["'[{\]\d]|$)|\{\s*(?:["'}]|$))/
const MARKUP_START = /^<(?:[?!]|(?:html|table|workbook)(?:[\s>]|$))/i

/** Refuses formats that look like plain lines: each line would be sold as a value. */
export function refuseOtherFormats(first: string): void {
  const start = first.trimStart()
  if (JSON_START.test(start)) {
    throw new UsageError(
      'the list is JSON, but not JSON Lines; "jq -c" writes them: jq -c . for objects, jq -c .[] for an array',
    )
  }
  if (MARKUP_START.test(start)) {
    throw new UsageError('the list is a page or a workbook (HTML or XML); save it as "CSV UTF-8"')
  }
}
