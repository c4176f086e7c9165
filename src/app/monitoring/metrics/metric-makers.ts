import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export const PREFIX = 'format_checker_'

export type MetricMakers = ReturnType<typeof metricMakers>

export function metricMakers(registry: Registry) {
  const registers = [registry]
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers }),
    /** The buckets are upper bounds in seconds. */
    histogram: <Label extends string>(
      name: string,
      buckets: readonly number[],
      help: string,
      ...labelNames: Label[]
    ) => new Histogram({ name: `${PREFIX}${name}`, help, labelNames, buckets: [...buckets], registers }),
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers }),
  }
}
