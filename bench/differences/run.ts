/**
 * Asks well-known libraries about every public vector, and writes docs/evidence/peer-differences.md and the numbers of the front
 * page: `npm run differences`. With `--values 1000000` it first compares that many made-up values of each type (`--types
 * iban,email`, `--seed 1`), also with python-stdnum where `--python` (python3) can import it: about an hour on two
 * processors.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installPeers } from '../peers/install.ts'
import { pythonVersion } from './batch-judges.ts'
import { differencesDoc, ibanDifferences } from './differences-doc.ts'
import { runDifferential } from './differential-run.ts'

const { values: options } = parseArgs({
  options: {
    values: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    types: { type: 'string', default: '' },
    python: { type: 'string', default: 'python3' },
  },
})

installPeers()
const values = Number(options.values)
if (values > 0) {
  if (pythonVersion(options.python) === undefined) console.warn(`${options.python} has no python-stdnum`)
  const isExplained = runDifferential({ ...options, values, seed: Number(options.seed) })
  if (!isExplained) process.exitCode = 1
}
const { dependencies } = JSON.parse(readFileSync(new URL('../peers/package.json', import.meta.url), 'utf8'))
writeFileSync(
  new URL('../../docs/evidence/peer-differences.md', import.meta.url),
  differencesDoc(dependencies),
)
writeFileSync(
  new URL('../../src/surfaces/site/pages/iban-differences.generated.json', import.meta.url),
  `${JSON.stringify(ibanDifferences(), null, 2)}\n`,
)
