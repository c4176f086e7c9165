import { SpanKind, type Tracer } from '@opentelemetry/api'
import type { FacilitatorClient } from '@x402/core/server'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import { inSpan } from './in-span.ts'

type Method = (...args: unknown[]) => unknown

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

/**
 * Wraps an object so that each call of an asynchronous method is a span, named by `nameOf`; methods without a name are
 * not traced. Arguments and results never become attributes.
 */
function traceMethods<T extends object>(
  target: T,
  tracer: Tracer,
  nameOf: (method: string) => string | undefined,
): T {
  const wrapped = new Map<string, Method>()
  const wrap = (method: string, name: string, original: Method): Method => {
    const options = { name, kind: SpanKind.CLIENT, attributes: { 'code.function.name': method } }
    return (...args) => inSpan(tracer, options, async () => original.apply(target, args))
  }
  return new Proxy(target, {
    get(object, property) {
      const member: unknown = Reflect.get(object, property)
      if (typeof property !== 'string' || typeof member !== 'function') return member
      const name = nameOf(property)
      if (name === undefined) return member
      const known = wrapped.get(property) ?? wrap(property, name, member as Method)
      wrapped.set(property, known)
      return known
    },
  })
}
