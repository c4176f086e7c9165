import { ConfigError, type LiveConfig } from '../../config.ts'
import type { Signer } from '../../payments/ports/signer.ts'

/**
 * Opens the keys of live mode: those in the settings, or those of the process at SIGNER_SOCKET. Throws {@link ConfigError} if
 * that process does not answer, is of another network or lacks a key.
 */
export const openLiveSigner = (config: LiveConfig): Promise<Signer> =>
  config.signerSocket === null ? openLocal(config) : openRemote(config, config.signerSocket)

/** Without the keys of receipts and cards, which may be generated into DATA_DIR and are read with the store. */
async function openLocal({ facilitator, channels }: LiveConfig): Promise<Signer> {
  const settlementKey = facilitator.kind === 'self' ? facilitator.settlementKey : null
  const accountOf = async (key: typeof settlementKey) =>
    key === null ? null : (await import('viem/accounts')).privateKeyToAccount(key)
  return {
    settlement: await accountOf(settlementKey),
    authorizer: await accountOf(channels?.authorizerKey ?? null),
    receipt: null,
    card: null,
    state: () => 'up',
    close: () => {},
  }
}

async function openRemote({ facilitator, channels, chain }: LiveConfig, path: string): Promise<Signer> {
  const { openRemoteSigner } = await import('../../payments/signing/remote-signer.ts')
  const signer = await openRemoteSigner(path).catch(() => {
    throw new ConfigError(['SIGNER_SOCKET: no signer answers there; start "format-checker signer" first'])
  })
  const lacks = (needed: boolean, key: unknown, name: string) =>
    needed && key === null ? [`SIGNER_SOCKET: the signer has no ${name}`] : []
  const faults = [
    ...(signer.chainId === chain.network.chainId ? [] : ['SIGNER_SOCKET: the signer is of another NETWORK']),
    ...lacks(facilitator.kind === 'self', signer.settlement, 'SETTLEMENT_KEY'),
    ...lacks(channels !== null, signer.authorizer, 'RECEIVER_AUTHORIZER_KEY'),
    ...lacks(true, signer.receipt, 'RECEIPT_KEY'),
    ...lacks(true, signer.card, 'CARD_KEY'),
  ]
  if (faults.length > 0) {
    signer.close()
    throw new ConfigError(faults)
  }
  return {
    ...signer,
    settlement: facilitator.kind === 'self' ? signer.settlement : null,
    authorizer: channels !== null ? signer.authorizer : null,
  }
}
