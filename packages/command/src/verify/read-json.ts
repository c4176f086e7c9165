import { closeSync, openSync, readSync } from 'node:fs'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { Budget } from '../../../../src/lists/budget.ts'
import { ListFault } from '../../../../src/lists/list-fault.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'

const CHUNK_BYTES = 1024 * 1024

export const fileBudget = () => new Budget({ what: 'file', advice: null })

/** Reads a file of UTF-8 text; "-" is standard input. Throws {@link ReceiptFault}. */
export function readText(file: string, budget = fileBudget()): string {
  return withReceiptFaults(file, () => {
    const bytes = readBytes(file, budget)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  })
}

export function readJson(file: string, budget = fileBudget()): unknown {
  const text = readText(file, budget)
  return withReceiptFaults(file, () => budget.json(text))
}

function withReceiptFaults<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const name = file === '-' ? 'Standard input' : printable(file)
    if (error instanceof SyntaxError) throw new ReceiptFault(`${name} is not JSON.`)
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
