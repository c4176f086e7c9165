import type { Log } from '../../log.ts'
import { nativeRecovery, type RecoverSigner } from '../../payments/authorization/recover-signer.ts'

/** Logs one line on a platform without a binary for signature recovery, where each payment takes more processor time. */
export function noteSignatureRecovery(
  log: Log,
  load: () => RecoverSigner | undefined = nativeRecovery,
): void {
  if (load() === undefined) log.warn({ event: 'signatures_recovered_in_javascript' }, 'startup')
}
