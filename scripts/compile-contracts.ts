/**
 * `node scripts/compile-contracts.ts`: writes the committed bytecode of the contracts. A test holds it against the sources.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

/** A contract as a chain holds it, with all that is needed to compile it again. */
interface CompiledContract {
  readonly abi: Abi
  /** Creates it; for the contracts that are sent to real chains. */
  readonly creationBytecode?: Hex
  readonly runtimeBytecode: Hex
  readonly compiler: string
  readonly settings: typeof SETTINGS
  readonly sourceSha256: string
}

interface Solc {
  version(): string
  compile(input: string): string
}

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: { [file: string]: { [contract: string]: SolcContract } }
}

interface SolcContract {
  abi: Abi
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}

const folder = new URL('../src/sandbox/', import.meta.url)
const aggregator = new URL('../src/payments/chain/aggregator/', import.meta.url)

/** The source and the committed file of each contract. */
export const CONTRACTS = {
  TestUSDC: [new URL('token/TestUSDC.sol', folder), new URL('token/test-usdc.generated.json', folder)],
  StandInSettlement: [
    new URL('channels/ChannelStandIns.sol', folder),
    new URL('channels/settlement.generated.json', folder),
  ],
  StandInCollector: [
    new URL('channels/ChannelStandIns.sol', folder),
    new URL('channels/collector.generated.json', folder),
  ],
  Aggregator: [new URL('Aggregator.sol', aggregator), new URL('aggregator.generated.json', aggregator)],
  SentAlong: [new URL('Aggregator.sol', aggregator), new URL('sent-along.generated.json', aggregator)],
} as const

export type ContractName = keyof typeof CONTRACTS

// No metadata in the bytecode: it would tie the bytes to file names and comments.
const SETTINGS = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 200 },
  viaIR: true,
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
} as const

/** Compiles Solidity source with the settings of the committed contracts; throws with the compiler's text on any error. */
export function compileSolidity(source: string): { [contract: string]: SolcContract } {
  const input = {
    language: 'Solidity',
    sources: { 'source.sol': { content: source } },
    settings: {
      ...SETTINGS,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc().compile(JSON.stringify(input))) as SolcOutput
  const faults = (output.errors ?? []).filter((e) => e.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((e) => e.formattedMessage).join('\n'))
  return output.contracts?.['source.sol'] ?? {}
}

/** Compiles a contract into the text that its committed file must hold. */
export function compileContract(name: ContractName): string {
  const source = readFileSync(CONTRACTS[name][0], 'utf8')
  const contract = compileSolidity(source)[name]
  if (contract === undefined) throw new Error(`the source has no contract ${name}`)
  const compiled: CompiledContract = {
    abi: contract.abi,
    ...(CONTRACTS[name][0].href.startsWith(aggregator.href)
      ? { creationBytecode: `0x${contract.evm.bytecode.object}` as const }
      : {}),
    runtimeBytecode: `0x${contract.evm.deployedBytecode.object}`,
    compiler: solc().version(),
    settings: SETTINGS,
    sourceSha256: createHash('sha256').update(source).digest('hex'),
  }
  return `${JSON.stringify(compiled, null, 2)}\n`
}

function solc(): Solc {
  return createRequire(import.meta.url)('solc') as Solc
}

if (import.meta.main)
  for (const name of Object.keys(CONTRACTS) as ContractName[])
    writeFileSync(CONTRACTS[name][1], compileContract(name))
