import { ChainUnavailable, FacilitatorFault, StoreUnavailable } from './service.ts'
import type { HeldCall } from './stage.ts'

/** `fail`: nothing was done. `after`: it was done, and the caller does not hear so. */
export type PortFault = 'fail' | 'after'

/** Fails a call in the way of its port. */
export function failCall(call: HeldCall, fault: PortFault): void {
  if (fault === 'after') call.goThenFail(new StoreUnavailable('told to fail'))
  else call.fail(errorOf(call))
}

function errorOf({ port }: HeldCall): Error {
  if (port === 'ledger') return new StoreUnavailable('told to fail')
  if (port === 'chain') return new ChainUnavailable('told to fail')
  return new FacilitatorFault('not_sent', 'refused')
}
