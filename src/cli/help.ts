/** Fits a terminal of 80 columns. */
export const HELP = `format-checker: format and checksum of identifiers, paid per call with x402

  serve
      Run the service; the environment says how. Without any setting it is a
      sandbox on this machine: local chain, test money, nothing real.

  try TYPE VALUE
  try TYPE -
      Run a check here: no payment, no network. With "-" each line of standard
      input is a JSON string, and each line of output its result.

  buy TYPE VALUE [--url URL] [--max-price USD] [--json]
      Pay for a check at a running service, as any client would. Without
      BUYER_PRIVATE_KEY in the environment it takes the funded buyer of a
      sandbox on this machine.
        --url         service to buy from (default http://127.0.0.1:4021)
        --max-price   most to pay, in US dollars (default 0.001)
        --json        print the result and the receipt as one JSON object

  reconcile [--json]
      Ask the chain once about every doubtful payment, look for the transfer of
      every settled one, and print what was found. A running service does this
      by itself every minute; on an embedded store it has to be stopped first.

  stats [--from DAY] [--to DAY] [--format csv|json] [--counts]
      Export what was sold: date, payer, amount, transaction, type, surface.
      Works beside a running service. Days are UTC, the last one included.
        --counts      the daily counts of every outcome instead

  TYPE is one of iban, eu-vat, pl-nip, pl-regon, pl-pesel, email.

Exit codes: 0 done, 1 failed or refused (nothing was charged), 2 wrong usage,
3 the outcome of the payment is not known: run the same command again.`
