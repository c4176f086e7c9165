import type { Tracer } from '@opentelemetry/api'
import type { TracingConfig } from '../../config/tracing.ts'

/** A running trace exporter. */
export interface Tracing {
  readonly tracer: Tracer
  /** Sends what is waiting, within bounds; never rejects. */
  close(): Promise<void>
}

/** The longest that a shutdown waits for a collector. */
const CLOSE_MS = 3_000
const EXPORT_TIMEOUT_MS = 5_000

/**
 * Starts the OpenTelemetry SDK, which is loaded only here. It is global to the process, as the API wants it: the
 * active span travels by async context, and outgoing requests take its `traceparent` along.
 *
 * Only trace context is propagated: baggage and `tracestate` carry any text a client puts there.
 */
export async function startTracing({ endpoint, serviceName, share }: TracingConfig): Promise<Tracing> {
  const [api, sdk, hooks, core, resources, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const exporter = new otlp.OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  // A caller may leave a trace out, and cannot have more traced than the operator's share.
  const ownShare = new sdk.TraceIdRatioBasedSampler(share)
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new sdk.ParentBasedSampler({ root: ownShare, remoteParentSampled: ownShare }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  return {
    tracer: provider.getTracer('format-checker'),
    close: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, CLOSE_MS)
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
      api.context.disable()
      api.propagation.disable()
    },
  }
}
