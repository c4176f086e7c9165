/** One line of the report. Texts hold no secret and no value of a setting but public addresses. */
export interface Finding {
  readonly check: CheckName
  readonly status: 'pass' | 'warn' | 'fail'
  readonly found: string
  readonly advice?: string
}

export type CheckName =
  | 'settings'
  | 'pay_to'
  | 'accounts'
  | 'store'
  | 'node'
  | 'token'
  | 'facilitator'
  | 'tls'
  | 'front'
  | 'proxies'

export const pass = (check: CheckName, found: string): Finding => ({ check, status: 'pass', found })
export const warn = trouble('warn')
export const fail = trouble('fail')

function trouble(status: Finding['status']) {
  return (check: CheckName, found: string, advice: string): Finding => ({ check, status, found, advice })
}
