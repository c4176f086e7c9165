import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

/** A contract as the sandbox places it on a chain, with all that is needed to compile it again. */
export interface CompiledContract {
  readonly abi: Abi
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
  evm: { deployedBytecode: { object: string } }
}

const SOURCE = new URL('./TestUSDC.sol', import.meta.url)
const TARGET = new URL('./test-usdc.generated.json', import.meta.url)

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
    settings: { ...SETTINGS, outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } } },
  }
  const output = JSON.parse(solc().compile(JSON.stringify(input))) as SolcOutput
  const faults = (output.errors ?? []).filter((e) => e.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((e) => e.formattedMessage).join('\n'))
  return output.contracts?.['source.sol'] ?? {}
}

/** Compiles TestUSDC.sol into exactly what the committed JSON must hold. */
export const compileToken = (): CompiledContract => compileContract(readFileSync(SOURCE, 'utf8'), 'TestUSDC')

/** Compiles one contract of a source; throws if the source has none of that name. */
export function compileContract(source: string, name: string): CompiledContract {
  const contract = compileSolidity(source)[name]
  if (contract === undefined) throw new Error(`the source has no contract ${name}`)
  return {
    abi: contract.abi,
    runtimeBytecode: `0x${contract.evm.deployedBytecode.object}`,
    compiler: solc().version(),
    settings: SETTINGS,
    sourceSha256: createHash('sha256').update(source).digest('hex'),
  }
}

/** The text of a committed contract; running this file writes test-usdc.generated.json. */
export function renderContract(contract: CompiledContract): string {
  return `${JSON.stringify(contract, null, 2)}\n`
}

// Loaded on demand: the compiler is a development dependency of 9 MB that a running service never needs.
function solc(): Solc {
  return createRequire(import.meta.url)('solc') as Solc
}

if (import.meta.main) writeFileSync(TARGET, renderContract(compileToken()))
