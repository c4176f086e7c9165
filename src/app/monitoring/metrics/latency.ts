import type { Histogram } from 'prom-client'
import type { Latency } from '../../../surfaces/admin/operator/figures/figures.ts'

interface Bucket {
  /** Upper bound in seconds; the last is infinite. */
  readonly bound: number
  /** Observations up to the bound. */
  readonly count: number
}

/** The percentiles of a histogram, a row for each name and its labels; those without observations are left out. */
export async function latenciesOf(
  histogram: Histogram,
  rows: readonly (readonly [name: string, labels: Readonly<Record<string, string>>])[],
): Promise<readonly Latency[]> {
  const latencies = await Promise.all(rows.map(([name, labels]) => latencyOf(histogram, name, labels)))
  return latencies.filter((row) => row !== null)
}

/** The percentiles of a histogram's observations that have the labels; null if there are none. */
async function latencyOf(
  histogram: Histogram,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<Latency | null> {
  const { values } = await histogram.get()
  const counts = new Map<number, number>()
  for (const { metricName, labels: own, value } of values as readonly Sample[]) {
    if (metricName?.endsWith('_bucket') !== true) continue
    if (Object.entries(labels).some(([label, wanted]) => own[label] !== wanted)) continue
    const bound = own.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(own.le)
    counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  const buckets = [...counts].map(([bound, count]) => ({ bound, count })).sort((a, b) => a.bound - b.bound)
  const calls = buckets.at(-1)?.count ?? 0
  if (calls === 0) return null
  const at = (share: number) => percentile(buckets, share)
  return { name, calls, median: at(0.5), p95: at(0.95), p99: at(0.99) }
}

interface Sample {
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/**
 * Interpolates inside the bucket, as `histogram_quantile` of Prometheus does, so that the view and a dashboard agree. Milliseconds;
 * above the last finite bound that bound, marked as a lower limit.
 */
function percentile(buckets: readonly Bucket[], share: number): Latency['median'] {
  const rank = (buckets.at(-1)?.count ?? 0) * share
  const at = buckets.findIndex(({ count }) => count >= rank)
  const { bound: from = 0, count: below = 0 } = buckets[at - 1] ?? {}
  const { bound: to = 0, count: within = 0 } = buckets[at] ?? {}
  if (to === Number.POSITIVE_INFINITY) return { ms: from * 1000, isMore: true }
  return { ms: (from + (to - from) * ((rank - below) / (within - below))) * 1000, isMore: false }
}
