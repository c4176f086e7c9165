/** Asks a server once and keeps its answer for the bare server that repeats it, or for a look at the terms. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'

export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export function askOnce(
  port: number,
  call: { method: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, ...call, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    asked.on('error', reject)
    asked.end(call.body)
  })
}

/** Headers a bare server sets by itself. */
const HOP_HEADERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** Writes an answer to a file as `bare-node.ts` reads it; returns the file. */
export function keepAnswer({ status, headers, body }: RecordedAnswer): string {
  const kept = Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name))
  return scratchFile(
    JSON.stringify({ status, headers: Object.fromEntries(kept), body: body.toString('base64') }),
  )
}

/** A file of its own in the directory for temporary files. */
export function scratchFile(content: string | Buffer): string {
  const file = join(mkdtempSync(join(tmpdir(), 'format-checker-bench-')), 'content')
  writeFileSync(file, content)
  return file
}

/** The terms a server offers for the check of IBANs over REST. */
export async function termsOf(port: number, path = '/api/validate/iban'): Promise<PaymentRequired> {
  const { headers } = await askOnce(port, { method: 'POST', path })
  return decodePaymentRequiredHeader(String(headers['payment-required']))
}

/** The terms of a list of so many values: those of one value, times the number. */
export function listTerms(required: PaymentRequired, values: number): PaymentRequired {
  const accepts = required.accepts.map((terms) => ({
    ...terms,
    amount: (BigInt(terms.amount) * BigInt(values)).toString(),
  }))
  return { ...required, accepts }
}
