import { context, propagation } from '@opentelemetry/api'

/** The `traceparent` of the active span for an outgoing request; empty if nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  // A client's `tracestate` was not read, so there is no other member.
  return headers
}

/** `fetch` with the `traceparent` of the active span. */
export const tracedFetch: typeof fetch = (input, init) => {
  const added = traceHeaders()
  return added.traceparent === undefined
    ? fetch(input, init)
    : fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...added } })
}
