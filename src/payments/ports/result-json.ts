import { listResult } from '../../catalog/list-result.ts'
import type { ResultJson, ValueCall, Verdicts } from './sale.ts'

/**
 * Writes the JSON of the verdicts once, on first use: that of 1,000 values is 600 kB, and both the receipt and the
 * answer need it.
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

/** The results begin at the first bracket, since only numbers stand before them, and end before the last brace. */
function listJson(verdicts: Verdicts): ResultJson {
  const answer = Buffer.from(JSON.stringify(listResult(verdicts)))
  return { answer, result: answer.subarray(answer.indexOf('['), -1) }
}
