/** What a process on loopback is called on its own machine, as a Host header spells it, without a port. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether a host name, as a URL spells it, is this machine's own. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

/** Whether a Host header names this machine: else a web page may have pointed its own name here (DNS rebinding). */
export const namesThisMachine = (host: string | undefined): boolean =>
  LOOPBACK_NAMES.includes(URL.parse(`http://${host ?? ''}`)?.hostname ?? '')
