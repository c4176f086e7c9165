import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'

/**
 * Attributes are our own words and numbers only, like the labels of metrics: never a payer, a value, a path, an address
 * or the message of an error.
 */
export interface SpanOptions<T> {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** Attributes that the result adds. */
  readonly describe?: (result: T) => Attributes
}

/** Runs work in a span below the active one; outside of a traced request, such as in the loops, without a span. */
export async function inSpan<T>(
  tracer: Tracer,
  { name, kind = SpanKind.INTERNAL, attributes = {}, describe }: SpanOptions<T>,
  work: () => Promise<T>,
): Promise<T> {
  if (trace.getActiveSpan() === undefined) return work()
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      const result = await work()
      if (describe !== undefined) span.setAttributes(describe(result))
      return result
    } catch (error) {
      failed(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed by the name of the error; its message may quote input. */
function failed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
