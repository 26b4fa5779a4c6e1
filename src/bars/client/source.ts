/** The daemon, as a bar's process sees it. */
export interface BarSource {
  /**
   * Opens a stream of lines. `onEnd` is called once, also when nothing could be opened; `orderly` says that the daemon
   * ended the stream itself, as when the user stops it. Returns what closes the stream, after which nothing is called.
   */
  open(path: string, onLine: (line: string) => void, onEnd: (orderly: boolean) => void): () => void;
  /** Sends JSON, and waits for nothing. */
  post(path: string, body: object): void;
}
