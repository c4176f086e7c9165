import { type Tracer, trace } from '@opentelemetry/api'
import type { FacilitatorClient } from '@x402/core/server'
import type { Check, CheckType } from '../../checks/verdict.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import { traceMethods } from './trace-methods.ts'

interface Parts {
  readonly ledger: Ledger
  readonly facilitator: FacilitatorClient
  readonly chain: ChainReader
}

/** Claims decide about money, so they have a name of their own among the store's spans. */
const CLAIMS = new Set(['claim', 'reclaim'])
/** Reads a key at every call; the span would say nothing. */
const UNTRACED = new Set(['ensureFact', 'findFact', 'close'])

/** Wraps the parts so that what a call asks of them are spans: `claim`, `store`, `settle`, `verify` and `node`. */
export function traceParts<Options extends Parts>(options: Options, tracer: Tracer): Options {
  return {
    ...options,
    ledger: traceMethods(options.ledger, tracer, (method) =>
      UNTRACED.has(method) ? undefined : CLAIMS.has(method) ? 'claim' : 'store',
    ),
    facilitator: traceMethods(options.facilitator, tracer, (method) =>
      method === 'settle' || method === 'verify' ? method : undefined,
    ),
    chain: traceMethods(options.chain, tracer, () => 'node'),
  }
}

/** Wraps every check so that it is the span `check`; the value is never an attribute. */
export function traceChecks(
  checks: Readonly<Record<CheckType, Check>>,
  tracer: Tracer,
): Readonly<Record<CheckType, Check>> {
  const traced = Object.entries(checks).map(([type, check]): [string, Check] => [
    type,
    (value) => {
      if (trace.getActiveSpan() === undefined) return check(value)
      const span = tracer.startSpan('check', { attributes: { 'format_checker.type': type } })
      try {
        return check(value)
      } finally {
        span.end()
      }
    },
  ])
  return Object.fromEntries(traced) as Record<CheckType, Check>
}
