import type { CleanSettings } from './settings.ts'

/** Where spans are sent, and which share of the requests is traced. */
export interface TracingConfig {
  /** Base URL of an OTLP/HTTP collector, without `/v1/traces`. */
  readonly endpoint: string
  readonly serviceName: string
  /** From 0 to 1. */
  readonly share: number
}

/** Null if no collector is set: then nothing is traced and the SDK is not loaded. */
export const readTracing = (settings: CleanSettings): TracingConfig | null =>
  settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? null
    : {
        endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
        serviceName: settings.OTEL_SERVICE_NAME,
        share: settings.OTEL_TRACES_SAMPLER_ARG,
      }
