import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Hex, keccak256 } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTRACTS, compileContract } from '../../scripts/compile-contracts.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import multicall3 from '../../src/sandbox/chain/multicall3.generated.json' with { type: 'json' }
import { startAnvil } from '../support/chain-backends.ts'

describe('the committed contracts', () => {
  const committed = readFileSync(CONTRACTS.TestUSDC[1], 'utf8')

  test('the token compiles to the committed file, byte for byte', () => {
    expect(compileContract('TestUSDC')).toBe(committed)
  })

  describe('on a chain', () => {
    let chain: ChainBackend
    let node: string
    beforeAll(async () => {
      const facilitatorKey = generatePrivateKey()
      chain = await startAnvil(facilitatorKey)
      node = chain.rpcUrl ?? ''
    })
    afterAll(() => chain.stop())

    test('Multicall3 is what its creation code in viem makes', async () => {
      // Not part of what viem exports, so it is read from the file.
      const contracts = createRequire(import.meta.url)
        .resolve('viem')
        .replace(/_cjs.*/, '_cjs/constants/contracts.js')
      const { multicall3Bytecode } = createRequire(import.meta.url)(contracts) as { multicall3Bytecode: Hex }
      const runtime = (await callRpc(node, 'eth_call', [{ data: multicall3Bytecode }, 'latest'])) as Hex
      expect(multicall3.runtimeBytecode).toBe(runtime)
      expect(multicall3.runtimeKeccak256).toBe(keccak256(runtime))
    })

    test('both are in their places', async () => {
      const code = (address: string) => callRpc(node, 'eth_getCode', [address, 'latest'])
      expect(await code(TOKEN)).toBe(JSON.parse(committed).runtimeBytecode)
      expect(await code(multicall3.address)).toBe(multicall3.runtimeBytecode)
    })
  })
})
