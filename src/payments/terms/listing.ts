/** The free listing; every document and page repeats these words and terms. */
export interface Listing {
  readonly service: string
  readonly summary: string
  readonly price: string
  readonly network: string
  readonly networkName: string
  readonly asset: string
  readonly payTo: string
  /** Its address, or that of the page that says who settles. */
  readonly facilitator: string
  readonly protocol: string
  readonly usage: string
  readonly privacy: string
}
