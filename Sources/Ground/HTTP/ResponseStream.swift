/// An answer in chunks, produced as the library asks for bytes. Used by one thread at a time.
final class ResponseStream {
  private let next: @Sendable () throws -> [UInt8]?
  private var chunk: [UInt8] = []
  private var position = 0

  init(_ next: @escaping @Sendable () throws -> [UInt8]?) { self.next = next }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while position == chunk.count {
      do {
        guard let more = try next() else { return -1 }
        chunk = more
        position = 0
      } catch {
        return -2
      }
    }
    let count = min(buffer.count, chunk.count - position)
    buffer.copyBytes(from: chunk[position..<position + count])
    position += count
    return count
  }
}

/// The callback of libmicrohttpd for the next bytes; its context is a ``ResponseStream``.
func readStream(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let context else { return -2 }
  return Unmanaged<ResponseStream>.fromOpaque(context).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

/// The callback of libmicrohttpd when it needs no more of the answer.
func releaseStream(_ context: UnsafeMutableRawPointer?) {
  if let context { Unmanaged<ResponseStream>.fromOpaque(context).release() }
}
