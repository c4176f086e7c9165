import { listResult } from './list-result.ts'
import type { ValueCall, Verdicts } from './sale.ts'

/** Texts by their verdicts: a list of 1,000 is 700 kB, which its receipt hashes and its answer sends. */
const texts = new WeakMap<Verdicts, string>()

/** The JSON that a receipt's `resultHash` is over: the verdict, or the array of a list's; written once. */
export function resultText(shape: ValueCall['shape'], verdicts: Verdicts): string {
  const known = texts.get(verdicts)
  if (known !== undefined) return known
  const text = JSON.stringify(shape === 'single' ? verdicts[0] : verdicts)
  texts.set(verdicts, text)
  return text
}

/** The JSON of the whole answer, with the text above inside: the verdict, or a `ListResult`. */
export function answerText(shape: ValueCall['shape'], verdicts: Verdicts): string {
  const results = resultText(shape, verdicts)
  if (shape === 'single') return results
  const { results: _, ...counts } = listResult(verdicts)
  return `${JSON.stringify(counts).slice(0, -1)},"results":${results}}`
}
