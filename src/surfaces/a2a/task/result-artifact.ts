import type { Artifact } from '@a2a-js/sdk'
import { listResult } from '../../../catalog/list-result.ts'
import type { Verdicts } from '../../../payments/ports/sale.ts'
import { dataPart, textPart } from '../protocol/parts.ts'
import type { OrderedList } from './pending-order.ts'

export function resultArtifact(verdicts: Verdicts, list: OrderedList | undefined): Artifact {
  return {
    artifactId: 'result',
    name: 'format-check-result',
    description: '',
    parts: [...verdicts.map(dataPart), textPart(resultText(verdicts, list))],
    metadata: undefined,
    extensions: [],
  }
}

/** Holds nothing of the value. */
export const resultText = (verdicts: Verdicts, list: OrderedList | undefined): string =>
  list === undefined ? sentenceOf(verdicts) : summaryOf(verdicts)

function sentenceOf([verdict]: Verdicts): string {
  return `${verdict.type}: ${verdict.valid ? 'valid' : 'invalid'}. ${verdict.reason}`
}

function summaryOf(verdicts: Verdicts): string {
  const { count, valid, invalid } = listResult(verdicts)
  return `${count} values: ${valid} valid, ${invalid} invalid. The results are in the order of the values.`
}
