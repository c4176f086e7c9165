import { startSandbox } from '../../../src/sandbox/sandbox.ts'

// Started by tests as a process of its own: runs a sandbox until it is killed, saying where it is.
const [dataDir, ending] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('usage: run-chain.ts DATA_DIR [throw]')

const sandbox = await startSandbox({ dataDir })
await sandbox.fund(sandbox.payTo, 7n)
console.log(JSON.stringify({ rpcUrl: sandbox.rpcUrl, chainName: sandbox.chainName, payTo: sandbox.payTo }))
if (ending === 'throw') throw new Error('as told')
if (ending === 'exit') process.exit(3)
setInterval(() => {}, 60_000)
