/** Undici's client alone: its index loads its whole API, which takes each thread 0.1 s; docs/decisions/0024. */
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici'

  const client: typeof Client
  type client = Client
  export default client
}
