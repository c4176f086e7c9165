import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

/** The test token as the sandbox places it on a chain, with all that is needed to compile it again. */
export interface CompiledToken {
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

/** Compiles Solidity source with the token's own settings; throws with the compiler's text on any error. */
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

/** Compiles TestUSDC.sol into exactly what the committed JSON has to hold. */
export function compileToken(): CompiledToken {
  const source = readFileSync(SOURCE, 'utf8')
  const token = compileSolidity(source).TestUSDC
  if (token === undefined) throw new Error('TestUSDC.sol has no contract TestUSDC')
  return {
    abi: token.abi,
    runtimeBytecode: `0x${token.evm.deployedBytecode.object}`,
    compiler: solc().version(),
    settings: SETTINGS,
    sourceSha256: createHash('sha256').update(source).digest('hex'),
  }
}

/** The text of test-usdc.generated.json; running this file writes it. */
export function renderToken(token: CompiledToken): string {
  return `${JSON.stringify(token, null, 2)}\n`
}

// Loaded on demand: the compiler is a development dependency of 9 MB that a running service never needs.
function solc(): Solc {
  return createRequire(import.meta.url)('solc') as Solc
}

if (import.meta.main) writeFileSync(TARGET, renderToken(compileToken()))
