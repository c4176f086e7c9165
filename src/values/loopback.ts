export const LOOPBACK = '127.0.0.1'

export const LOOPBACK_NAMES: readonly string[] = ['localhost', LOOPBACK, '[::1]']

export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

/** Whether a Host header names this machine. If not, a web page may have pointed its own name here (DNS rebinding). */
export const namesThisMachine = (host: string | undefined): boolean =>
  LOOPBACK_NAMES.includes(URL.parse(`http://${host ?? ''}`)?.hostname ?? '')
