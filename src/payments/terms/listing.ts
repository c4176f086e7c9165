/** The words and payment terms of the free listing, which every document and page repeats and none has of its own. */
export interface Listing {
  readonly service: string
  readonly summary: string
  readonly price: string
  /** CAIP-2 name of the chain. */
  readonly network: string
  readonly networkName: string
  /** Contract address of the payment asset. */
  readonly asset: string
  readonly payTo: string
  /** Address of the facilitator, or of the page that says who settles. */
  readonly facilitator: string
  readonly protocol: string
  readonly usage: string
  readonly privacy: string
}
