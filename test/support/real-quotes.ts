import { generateKeyPairSync } from 'node:crypto'
import type { FacilitatorClient } from '@x402/core/server'
import { extensionsFor } from '../../src/payments/extensions/declare-extensions.ts'
import { createReceiptSigner } from '../../src/payments/extensions/receipt-signer.ts'
import { buildQuotes } from '../../src/payments/terms/quotes.ts'
import { createResourceServer } from '../../src/payments/terms/resource-server.ts'
import { buildTerms } from '../../src/payments/terms/terms.ts'
import { realRegistry } from './registry.ts'

export const PAY_TO = `0x${'44'.repeat(20)}`

/** A quote needs nothing of a facilitator. */
const UNREACHABLE: FacilitatorClient = {
  verify: () => Promise.reject(new Error('must not be called')),
  settle: () => Promise.reject(new Error('must not be called')),
  getSupported: () => Promise.reject(new Error('must not be called')),
}

/** Quotes as the service computes them, under a public address of the test's choice. */
export async function realQuotes(baseUrl: string, now: () => number = Date.now) {
  const registry = realRegistry()
  const server = await createResourceServer(UNREACHABLE)
  const terms = await buildTerms(server, PAY_TO)
  const signer = createReceiptSigner(generateKeyPairSync('ed25519').privateKey, baseUrl)
  const declareExtensions = extensionsFor({
    baseUrl,
    registry,
    requirements: terms.requirements,
    signer,
    now,
  })
  const compute = () => buildQuotes({ server, terms, registry, baseUrl, declareExtensions })
  return { registry, terms, signer, compute, quotes: await compute() }
}
