import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { CONTRACTS, compileSolidity } from '../../scripts/compile-contracts.ts'
import aggregator from '../../src/payments/chain/aggregator/aggregator.generated.json' with { type: 'json' }
import { AGGREGATOR } from '../../src/payments/chain/settlement-calls.ts'
import type { Network } from '../../src/payments/networks/network.ts'
import { findAnvil } from '../../src/sandbox/chain/anvil-binary.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import multicall3 from '../../src/sandbox/chain/multicall3.generated.json' with { type: 'json' }
import { transact } from '../../src/sandbox/chain/provision.ts'
import collector from '../../src/sandbox/channels/collector.generated.json' with { type: 'json' }
import settlement from '../../src/sandbox/channels/settlement.generated.json' with { type: 'json' }
import { keepMining } from './chain-backends.ts'
import { MULTICALL3 } from './multicall3.ts'
import { freePort } from './ports.ts'

const MINT = parseAbi(['function mint(address to, uint256 value)'])
/** The sandbox's token under the name that USDC has on a network, which its signatures cover. */
function compileToken(name: string): Hex {
  const source = readFileSync(CONTRACTS.TestUSDC[0], 'utf8')
  const contract = compileSolidity(source.replace('"USD Coin"', `"${name}"`)).TestUSDC
  return `0x${contract?.evm.deployedBytecode.object}`
}

/** A chain on this machine that stands in for a network: its chain id, its USDC, the aggregator and the contracts of channels. */
export async function startStandIn({ chainId, token: usdc, contracts }: Network) {
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const anvil = spawn(findAnvil(), [
    '--chain-id',
    String(chainId),
    '--port',
    String(port),
    '--accounts',
    '0',
    '--quiet',
  ])
  const ended = once(anvil, 'exit')
  while (anvil.exitCode === null && (await callRpc(rpcUrl, 'eth_chainId').catch(() => null)) === null)
    await sleep(20)
  for (const [address, code] of [
    [usdc.address, compileToken(usdc.domain.name)],
    [AGGREGATOR, aggregator.runtimeBytecode],
    // Every network has it; the facilitator of channels reads through it.
    [MULTICALL3, multicall3.runtimeBytecode],
    [contracts.channels, settlement.runtimeBytecode],
    [contracts.depositCollector, collector.runtimeBytecode],
  ] as const) {
    await callRpc(rpcUrl, 'anvil_setCode', [address, code])
  }
  const stopMining = keepMining(rpcUrl)
  return {
    rpcUrl,
    /** Mints atomic units of the token to an account. */
    fund: (to: Hex, value: bigint) =>
      transact(
        rpcUrl,
        usdc.address,
        encodeFunctionData({ abi: MINT, functionName: 'mint', args: [to, value] }),
      ),
    async stop() {
      stopMining()
      anvil.kill()
      await ended
    },
  }
}
