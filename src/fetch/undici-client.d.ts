/** The client alone: all of undici takes 90 ms of CPU to load, in every worker, and this third of it 30. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
