import { listResult } from './list-result.ts'
import type { ValueCall, Verdicts } from './sale.ts'

interface Written {
  /** The verdict, or a `ListResult` as UTF-8. */
  readonly answer: string | Buffer
  /** The part of it that a receipt's `resultHash` is over. */
  readonly result: string | Buffer
}

/** By their verdicts: a list of 1,000 is 600 kB, which its receipt hashes and its answer sends. */
const written = new WeakMap<Verdicts, Written>()

/** The JSON that a receipt's `resultHash` is over: the verdict, or the array of a list's as UTF-8. */
export const resultJson = (shape: ValueCall['shape'], verdicts: Verdicts): string | Buffer =>
  jsonOf(shape, verdicts).result

/** The JSON of the whole answer, with the same inside: the verdict, or a `ListResult`. */
export const answerJson = (shape: ValueCall['shape'], verdicts: Verdicts): string | Buffer =>
  jsonOf(shape, verdicts).answer

function jsonOf(shape: ValueCall['shape'], verdicts: Verdicts): Written {
  const known = written.get(verdicts)
  if (known !== undefined) return known
  const json = shape === 'single' ? singleJson(verdicts) : listJson(verdicts)
  written.set(verdicts, json)
  return json
}

function singleJson([verdict]: Verdicts): Written {
  const json = JSON.stringify(verdict)
  return { answer: json, result: json }
}

/** Only numbers stand before the results, so they begin at the first bracket and end before the last brace. */
function listJson(verdicts: Verdicts): Written {
  const answer = Buffer.from(JSON.stringify(listResult(verdicts)))
  return { answer, result: answer.subarray(answer.indexOf('['), -1) }
}
