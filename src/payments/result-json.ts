import { listResult } from './list-result.ts'
import type { ValueCall, Verdicts } from './sale.ts'

/** By their verdicts: a list of 1,000 is 600 kB, which its receipt hashes and its answer sends. */
const written = new WeakMap<Verdicts, string | Buffer>()

/** The JSON that a receipt's `resultHash` is over: the verdict, or the array of a list's as UTF-8; written once. */
export function resultJson(shape: ValueCall['shape'], verdicts: Verdicts): string | Buffer {
  const known = written.get(verdicts)
  if (known !== undefined) return known
  const json = shape === 'single' ? JSON.stringify(verdicts[0]) : Buffer.from(JSON.stringify(verdicts))
  written.set(verdicts, json)
  return json
}

/** The JSON of the whole answer, with the same inside: the verdict, or a `ListResult`. */
export function answerJson(shape: ValueCall['shape'], verdicts: Verdicts): string | Buffer {
  const json = resultJson(shape, verdicts)
  if (typeof json === 'string') return json
  const { results: _, ...counts } = listResult(verdicts)
  const before = `${JSON.stringify(counts).slice(0, -1)},"results":`
  return Buffer.concat([Buffer.from(before), json, Buffer.from('}')])
}
