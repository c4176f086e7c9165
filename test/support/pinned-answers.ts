import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CHECKS, RULESETS } from 'format-checker-checks/internal/checks'
import type { CheckType, Verdict } from 'format-checker-checks/verdict'
import { noisyValues } from './noise.ts'

/** What is pinned of a type. */
export interface PinnedAnswers {
  readonly ruleset: string
  /** The SHA-256 of the results of the values below, in their order, and of values that are made from a seed. */
  readonly digest: string
  /** Each value with what its result says, so that a change can be read. */
  readonly answers: Readonly<Record<string, string>>
}

export const PINNED_FILE = new URL('../vectors/answers.json', import.meta.url)

/** The bytes promised under the rulesets in force. */
export const pinnedAnswers = (): Readonly<Partial<Record<CheckType, PinnedAnswers>>> =>
  JSON.parse(readFileSync(PINNED_FILE, 'utf8'))

const GENERATED = 4_000
const SEED = 20261128

/** Of the values and of generated ones, which a changed rule reaches that no vector shows. */
export function digestOf(type: CheckType, values: readonly string[]): string {
  const hash = createHash('sha256')
  const check = CHECKS[type]
  // The name is no part of it: whether it has changed as well is the question.
  const bytesOf = (value: string) => JSON.stringify(check(value)).replace(RULESETS[type], '')
  for (const value of values) hash.update(bytesOf(value))
  for (const { value, meant } of noisyValues(type, GENERATED, SEED))
    hash.update(bytesOf(value) + (meant ?? ''))
  return hash.digest('hex')
}

/** The code and the advice of a result in one line. */
export function summaryOf({ details }: Verdict): string {
  const { code, hint, position, suspects, span, warnings } = details
  const said = [
    ['hint', hint],
    ['position', position],
    ['suspects', suspects?.join()],
    ['span', span && `${span.start}-${span.end}`],
    ['warnings', warnings.join()],
  ].filter(([, told]) => told !== undefined && told !== '')
  return [code, ...said.map(([name, told]) => `${name}=${told}`)].join(' ')
}
