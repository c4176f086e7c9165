import { closeSync, openSync, readSync } from 'node:fs'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { Budget } from '../../../../src/lists/budget.ts'
import { ListFault } from '../../../../src/lists/list-fault.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { JsonFault, parseStrict } from '../../../../src/values/strict-json.ts'

const CHUNK_BYTES = 1024 * 1024

export const fileBudget = () => new Budget({ what: 'file', advice: null })

/** Reads a file of UTF-8 text; "-" is standard input. Throws {@link ReceiptFault}. */
export const readText = (file: string): string =>
  withReceiptFaults(file, () =>
    new TextDecoder('utf-8', { fatal: true }).decode(readBytes(file, fileBudget())),
  )

/** A key set or DID document, of any author. */
export const readJson = (file: string): unknown =>
  withReceiptFaults(file, () => fileBudget().json(readText(file)))

/** A receipt or a statement, by its grammar. */
export const readEvidence = (file: string, budget: Budget): unknown =>
  withReceiptFaults(file, () => parseStrict(readBytes(file, budget)))

function withReceiptFaults<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const name = file === '-' ? 'Standard input' : printable(file)
    if (error instanceof ReceiptFault) throw error
    if (error instanceof SyntaxError) throw new ReceiptFault(`${name} is not JSON.`)
    if (error instanceof JsonFault) throw new ReceiptFault(`${name} ${error.message}.`)
    if (error instanceof ListFault) throw new ReceiptFault(`${name}: ${error.message}.`)
    throw new ReceiptFault(`${name} cannot be read as UTF-8 text (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Ends at the limit, also where a file has no end. */
function readBytes(file: string, budget: Budget): Buffer {
  const descriptor = file === '-' ? 0 : openSync(file, 'r')
  try {
    const chunks: Buffer[] = []
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const size = readSync(descriptor, chunk, {})
      if (size === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, size))
      budget.read(size)
      budget.take('held', size)
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor)
  }
}
