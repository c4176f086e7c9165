/**
 * `npm run soak -- --seconds 3600 [--buyers N] [--floods N]`: sales and floods together, and what the process holds
 * meanwhile. Without floods it shows what a sale takes when it is alone.
 */
import { parseArgs } from 'node:util'
import { growth } from '../fuzz/flat.ts'
import { megabytes } from '../fuzz/heap-watch.ts'
import { runSoak } from './run-soak.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3600' },
    buyers: { type: 'string', default: '6' },
    floods: { type: 'string', default: '4' },
  },
})
const report = await runSoak({
  seconds: Number(values.seconds),
  buyers: Number(values.buyers),
  floods: Number(values.floods),
  onLook: (line) => console.error(line),
})
const { held, latencies, ...rest } = report
console.log(JSON.stringify(rest, null, 2))
console.log(`heap ${held.map(({ heap }) => megabytes(heap)).join(', ')}`)
console.log(
  `handles ${held.map(({ handles }) => handles).join(', ')}, files ${held.map(({ files }) => files).join(', ')}`,
)
console.log(`a sale takes (ms, p50/p99) ${latencies.map(({ p50, p99 }) => `${p50}/${p99}`).join(', ')}`)
const grown = growth(held, report.charged)
console.log(grown.length === 0 ? 'flat' : `grown: ${grown.join(', ')}`)
process.exit(report.faults.length === 0 && grown.length === 0 && report.charged === report.settled ? 0 : 1)
