/** What a process on loopback is called on its own machine, as a Host header spells it, without a port. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
