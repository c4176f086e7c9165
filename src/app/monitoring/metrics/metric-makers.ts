import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export const PREFIX = 'format_checker_'

export interface MetricMakers {
  counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label>
  /** The buckets are upper bounds in seconds. */
  histogram<Label extends string>(
    name: string,
    buckets: readonly number[],
    help: string,
    ...labelNames: Label[]
  ): Histogram<Label>
  gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label>
}

export function metricMakers(registry: Registry): MetricMakers {
  const registers = [registry]
  return {
    counter: (name, help, ...labelNames) =>
      new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers }),
    histogram: (name, buckets, help, ...labelNames) =>
      new Histogram({ name: `${PREFIX}${name}`, help, labelNames, buckets: [...buckets], registers }),
    gauge: (name, help, ...labelNames) =>
      new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers }),
  }
}
