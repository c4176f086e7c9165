import {
  NetworkSchemaV2,
  PaymentPayloadV2Schema,
  PaymentRequirementsV2Schema,
  ResourceInfoSchema,
} from '@x402/core/schemas'

/**
 * The packages' schema of a payment of x402 version 2 without its effects: of the resource they make undefined of null,
 * which nothing here reads; that of the network is {@link isNetwork}.
 *
 * For each effect that runs, zod 3 makes an object with a getter, and V8 keeps getters among old objects, with all that
 * they reach: the whole payment would stay until the next full collection, and bring it nearer.
 */
export const PAYLOAD_V2 = PaymentPayloadV2Schema.extend({
  resource: ResourceInfoSchema.extend(withoutEffects(ResourceInfoSchema.shape)).nullish(),
  accepted: PaymentRequirementsV2Schema.extend({ network: NetworkSchemaV2.innerType() }),
})

/** What the effect of a network asks: that its name is of CAIP-2. */
export const isNetwork = (network: string): boolean => NetworkSchemaV2.safeParse(network).success

function withoutEffects(shape: typeof ResourceInfoSchema.shape) {
  const { description, mimeType, serviceName, tags, iconUrl } = shape
  return {
    description: description.innerType(),
    mimeType: mimeType.innerType(),
    serviceName: serviceName.innerType(),
    tags: tags.innerType(),
    iconUrl: iconUrl.innerType(),
  }
}
