import { listResult } from './list-result.ts'
import type { ResultJson, ValueCall, Verdicts } from './sale.ts'

/**
 * Writes the JSON of a call's verdicts on first use and keeps it: a list of 1,000 is 600 kB, which its receipt hashes and
 * its answer sends.
 */
export function resultJsonOf(shape: ValueCall['shape'], verdicts: () => Verdicts): () => ResultJson {
  let written: ResultJson | undefined
  return () => {
    written ??= shape === 'single' ? singleJson(verdicts()) : listJson(verdicts())
    return written
  }
}

function singleJson([verdict]: Verdicts): ResultJson {
  const json = JSON.stringify(verdict)
  return { answer: json, result: json }
}

/** Only numbers stand before the results, so they begin at the first bracket and end before the last brace. */
function listJson(verdicts: Verdicts): ResultJson {
  const answer = Buffer.from(JSON.stringify(listResult(verdicts)))
  return { answer, result: answer.subarray(answer.indexOf('['), -1) }
}
