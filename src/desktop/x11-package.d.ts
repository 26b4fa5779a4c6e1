/** The part of the npm package x11 4.2.2, which has no types of its own, that x11.ts uses. */
declare module 'x11' {
  import type { Socket } from 'node:net';

  /** Returns true where an error was dealt with; else it is emitted as `error` on the client as well. */
  export type Callback<T> = (error: Error | null | undefined, value: T) => boolean;

  export interface Property {
    /** Atom; 0 where the window has no such property. */
    readonly type: number;
    readonly data: Buffer;
  }

  export interface ClientIds {
    /** The client's resource base, whatever resource was asked for. */
    readonly client: number;
    readonly value: readonly number[];
  }

  export interface XResource {
    QueryClientIds(specs: readonly { client: number; mask: number }[], callback: Callback<ClientIds[]>): void;
  }

  export interface Client {
    atoms: Record<string, number>;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'end', listener: () => void): this;
    InternAtom(onlyIfExists: boolean, name: string, callback: Callback<number>): void;
    SendEvent(destination: number, propagate: 0 | 1, eventMask: number, event: Buffer): void;
    GetProperty(
      remove: 0,
      window: number,
      name: number,
      type: number,
      longOffset: number,
      longLength: number,
      callback: Callback<Property>,
    ): void;
    require(extension: 'res', callback: Callback<XResource>): void;
  }

  export interface Display {
    readonly client: Client;
    readonly resource_mask: number;
    readonly screen: readonly { readonly root: number }[];
  }

  const x11: {
    createClient(
      options: {
        display: string;
        stream: Socket;
        auth: { name: string; data: string };
        disableBigRequests: boolean;
      },
      callback: (error: Error | undefined, display: Display) => void,
    ): Client;
  };
  export default x11;
}
