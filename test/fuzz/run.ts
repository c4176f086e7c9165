/** `npm run fuzz -- --seed N --seconds S [--inputs N] [--from N]`: tries the service with bad inputs and says what came of it. */
import { parseArgs } from 'node:util'
import { runCampaign } from './campaign.ts'
import { describeReport } from './describe-report.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    inputs: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
const report = await runCampaign({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  from: Number(values.from),
  ...(values.inputs === undefined ? {} : { inputs: Number(values.inputs) }),
  onProgress: ({ inputs, seconds, findings }) => {
    const last = findings.at(-1)
    const what = last === undefined ? '' : `, the last: ${last.rule} (${last.kind}, input ${last.number})`
    console.error(`${inputs} inputs in ${Math.round(seconds)} s, ${findings.length} findings${what}`)
  },
})
console.log(describeReport(report))
process.exit(report.findings.length === 0 ? 0 : 1)
