import type { Verdict } from '../checks/verdict.ts'
import { printable } from './command-line/terminal-text.ts'

/** A verdict as lines for a person. */
export const describeVerdict = ({ valid, normalized, reason, details }: Verdict): readonly string[] =>
  [
    `${valid ? 'valid' : 'invalid'}${normalized === null ? '' : ` ${normalized}`}`,
    `${reason} (${details.code})`,
  ].map(printable)
