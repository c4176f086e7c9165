import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { keepMining } from '../support/chain-backends.ts'
import { freePort } from '../support/ports.ts'
import { scratchDir, startProcess } from '../support/service-process.ts'

/** The service in live mode, as a process of its own, over a chain and a facilitator of this machine. */
export async function startLiveService() {
  const scratch = scratchDir()
  const sandbox = await startSandbox()
  const stopMining = keepMining(sandbox.rpcUrl ?? '')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = startProcess(scratch.path, {
    PORT: String(port),
    HOST: '127.0.0.1',
    PAY_TO: sandbox.payTo,
    BASE_URL: url,
    FACILITATOR_URL: sandbox.facilitatorUrl,
    RPC_URL: sandbox.rpcUrl ?? '',
    DATA_DIR: `${scratch.path}/data`,
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY: '0',
  })
  await service.line(/"event":"listening"/)
  return {
    url,
    sandbox,
    buyer: privateKeyToAccount(sandbox.buyer.privateKey),
    async stop() {
      service.child.kill('SIGTERM')
      await service.ended
      stopMining()
      await sandbox.stop()
      scratch.remove()
    },
  }
}

export type LiveService = Awaited<ReturnType<typeof startLiveService>>

/** Answers one request of a wallet, or refuses it. */
export type WalletScript = (method: string, params: readonly unknown[]) => Promise<unknown> | unknown

/** Signs whatever typed data it is given, as a wallet whose owner says yes. */
export function signerOf(account: ReturnType<typeof privateKeyToAccount>) {
  return (text: unknown): Promise<Hex> => {
    const { EIP712Domain: _, ...types } = JSON.parse(String(text)).types
    return account.signTypedData({ ...JSON.parse(String(text)), types })
  }
}
