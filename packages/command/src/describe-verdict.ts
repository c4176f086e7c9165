import { styleText } from 'node:util'
import { HINTS, WARNINGS } from 'format-checker-checks/hints'
import type { Details, Verdict } from 'format-checker-checks/verdict'
import { printable } from '../../../src/command-line/terminal-text.ts'

/** A verdict as lines for a person; characters are counted from 1. */
export function describeVerdict({ valid, normalized, reason, details }: Verdict): readonly string[] {
  const word = valid ? 'valid' : 'invalid'
  const shown = styleText(valid ? 'green' : 'red', word, { stream: process.stdout })
  const lines = [`${reason} (${details.code})`, ...adviceLines(details)]
  return [`${shown}${normalized === null ? '' : ` ${printable(normalized)}`}`, ...lines.map(printable)]
}

/** A service of another version may send other members and codes. */
function adviceLines(details: Details): string[] {
  const { hint, position, suspects = [], warnings = [], suggestedDomain } = details
  const places = suspects.length > 0 ? suspects : position === undefined ? [] : [position]
  return [
    ...places.map((place) => `look at character ${place + 1}`),
    ...(hint === undefined ? [] : [`hint: ${HINTS[hint]?.explanation ?? hint}`]),
    ...warnings.map((warning) => `warning: ${WARNINGS[warning]?.explanation ?? warning}`),
    ...bankLine(details.bank),
    ...(suggestedDomain === undefined ? [] : [`suggested domain: ${suggestedDomain}`]),
  ]
}

function bankLine(bank: unknown): string[] {
  const { name, bic }: Readonly<Record<string, unknown>> = Object(bank)
  return name === undefined ? [] : [`bank: ${bic === undefined ? name : `${name}, ${bic}`}`]
}
