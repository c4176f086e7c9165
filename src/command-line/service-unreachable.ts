/** The service does not answer, so nothing was signed; the message names its address. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable'
}
