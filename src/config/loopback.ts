/** Whether a host name, as a URL spells it, is this machine's own. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host)
