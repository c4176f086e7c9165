import { megabytes } from './heap-watch.ts'
import type { CampaignReport } from './report.ts'

/** A report in lines for people: what was sent, what came back, what was held, what went wrong. */
export function describeReport(report: CampaignReport): string {
  const { seed, seconds, inputs, kinds, statuses, findings, charged, verdicts, held, rows } = report
  const counted = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => `  ${name}: ${count}`)
  return [
    `seed ${seed}: ${inputs} inputs in ${seconds.toFixed(1)} s (${Math.round(inputs / seconds)} a second)`,
    'inputs',
    ...counted(kinds),
    'answers',
    ...counted(statuses),
    `payments made ${charged}, payments that bought a verdict which was seen ${verdicts}`,
    `rows ${rows.payments} payments, ${rows.tasks} tasks`,
    `heap ${held.map(({ heap }) => megabytes(heap)).join(', ')}`,
    `handles ${held.map(({ handles }) => handles).join(', ')}`,
    `files ${held.map(({ files }) => files).join(', ')}`,
    `findings ${findings.length}`,
    ...findings.map(
      ({ rule, kind, number, sent, answered }) =>
        `--- ${rule} (${kind}, input ${number})\n${sent}\n... was answered with\n${answered}`,
    ),
  ].join('\n')
}
