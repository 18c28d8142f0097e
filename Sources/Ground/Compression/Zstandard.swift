public import Bytes
internal import CZstd
internal import Synchronization

/// Zstandard frames (RFC 8878), by libzstd.
public enum Zstandard {
  /// The level of ``compress(_:)``: the library's own default, and the same on every machine.
  private static let level: Int32 = 3

  /// One frame that holds `input`, with its size and a checksum. The same input gives the same
  /// bytes with the same library.
  ///
  /// The buffer of the result is as long as the frame, so that it can be held for long.
  ///
  /// - Throws: ``CompressionError`` when memory is short.
  public static func compress(_ input: ByteView) throws(CompressionError) -> ByteView {
    guard let context = CompressionContext.idle() else { throw .noMemory(format: "zstd") }
    defer { context.giveBack() }
    return try input.withUnsafeBytes { (bytes) throws(CompressionError) in
      try context.compress(bytes, level: level)
    }
  }

  /// Decompresses frames whose output is exactly `size` bytes long.
  ///
  /// - Parameters:
  ///   - size: What the container of the frames announces, in bytes. Memory for it is taken, so
  ///     test it against the length of the input where the container is not trusted.
  ///   - limit: The most bytes to give back.
  /// - Throws: ``CompressionError`` for damage, another size, or one over the limit.
  public static func decompress(
    _ input: ByteView, size: UInt64, limit: Int
  ) throws(CompressionError) -> ByteView {
    guard let wanted = Int(exactly: size), wanted <= limit else {
      throw .tooLarge(format: "zstd", size: size, limit: limit)
    }
    return try ByteView(capacity: wanted) { (output) throws(CompressionError) in
      let count = try input.withUnsafeBytes { (bytes) throws(CompressionError) in
        try checked(
          ZSTD_decompress(output.baseAddress, output.count, bytes.baseAddress, bytes.count))
      }
      guard count == wanted else {
        throw .damaged(format: "zstd", reason: "\(count) bytes instead of the announced \(wanted)")
      }
      return count
    }
  }

  /// Decompresses frames of unknown size.
  ///
  /// - Parameter limit: The most bytes to give back.
  /// - Throws: ``CompressionError`` for damage, or when more than `limit` bytes come.
  public static func decompress(
    _ input: ByteView, limit: Int
  ) throws(CompressionError) -> ByteView {
    let (announced, frame) = input.withUnsafeBytes { bytes in
      (
        ZSTD_getFrameContentSize(bytes.baseAddress, bytes.count),
        ZSTD_findFrameCompressedSize(bytes.baseAddress, bytes.count)
      )
    }
    // The two largest values mean "unknown" and "no frame"; the stream below says what is wrong.
    if announced < UInt64.max - 1, frame == input.count {
      return try decompress(input, size: announced, limit: limit)
    }
    guard let context = DecompressionContext() else { throw .noMemory(format: "zstd") }
    var output = GrowingOutput(format: "zstd", limit: limit)
    try input.withUnsafeBytes { (bytes) throws(CompressionError) in
      try context.decompress(bytes, into: &output)
    }
    return output.view
  }

  /// The one place where the library's answers become errors.
  fileprivate static func checked(_ code: Int) throws(CompressionError) -> Int {
    guard ZSTD_isError(code) != 0 else { return code }
    if ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation { throw .noMemory(format: "zstd") }
    throw .damaged(format: "zstd", reason: String(cString: ZSTD_getErrorName(code)))
  }
}

/// Used by one thread at a time, which takes it out of those that are idle: libzstd's manual asks for no more.
/// A new one costs as much as compressing a small report, since its tables are cleared.
private final class CompressionContext: @unchecked Sendable {
  /// The most that are kept, a few hundred KB each.
  private static let most = 8
  private static let kept = Mutex<[CompressionContext]>([])
  /// The most bytes of ``room``.
  private static let mostRoom = 1 << 20
  private let handle: OpaquePointer
  /// Room for a frame until its length is known: the library asks for more than the input has.
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  private init?() {
    guard let handle = ZSTD_createCCtx() else { return nil }
    self.handle = handle
  }

  /// - Returns: `nil` when memory is short.
  static func idle() -> CompressionContext? {
    kept.withLock { $0.popLast() } ?? CompressionContext()
  }

  func giveBack() {
    Self.kept.withLock { if $0.count < Self.most { $0.append(self) } }
  }

  func compress(
    _ input: UnsafeRawBufferPointer, level: Int32
  ) throws(CompressionError) -> ByteView {
    let bound = ZSTD_compressBound(input.count)
    guard bound <= Self.mostRoom else {
      let frame = try ByteView(capacity: bound) { (output) throws(CompressionError) in
        try compress(input, into: output, level: level)
      }
      // Where little would be gained, both buffers would only be there at the same time.
      return frame.count <= bound / 2 ? ByteView(copying: frame.bytes) : frame
    }
    if room.count < bound {
      room.deallocate()
      room = .allocate(byteCount: bound, alignment: 16)
    }
    let count = try compress(input, into: room, level: level)
    return ByteView(capacity: count) { output in
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<count]))
      return count
    }
  }

  private func compress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, level: Int32
  ) throws(CompressionError) -> Int {
    _ = try Zstandard.checked(ZSTD_CCtx_setParameter(handle, ZSTD_c_compressionLevel, level))
    _ = try Zstandard.checked(ZSTD_CCtx_setParameter(handle, ZSTD_c_checksumFlag, 1))
    return try Zstandard.checked(
      ZSTD_compress2(
        handle, output.baseAddress, output.count, input.baseAddress, input.count))
  }

  deinit {
    ZSTD_freeCCtx(handle)
    room.deallocate()
  }
}

private struct DecompressionContext: ~Copyable {
  /// Frames that want a larger window than 128 MiB are refused, as the zstd command does.
  private static let largestWindow: Int32 = 27
  private let handle: OpaquePointer

  init?() {
    guard let handle = ZSTD_createDCtx() else { return nil }
    self.handle = handle
  }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: inout GrowingOutput
  ) throws(CompressionError) {
    _ = try Zstandard.checked(
      ZSTD_DCtx_setParameter(handle, ZSTD_d_windowLogMax, Self.largestWindow))
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    // The bytes that the library still wants to read; 0 at the end of a frame.
    var wanted = 1
    while true {
      var written = 0
      (wanted, written) = try output.step { (chunk) throws(CompressionError) in
        var sink = ZSTD_outBuffer(dst: chunk.baseAddress, size: chunk.count, pos: 0)
        let wanted = try Zstandard.checked(ZSTD_decompressStream(handle, &sink, &source))
        return (wanted, sink.pos)
      }
      if source.pos == source.size && (wanted == 0 || written == 0) { break }
    }
    guard wanted == 0 else { throw .damaged(format: "zstd", reason: "the data ends early") }
  }

  deinit { ZSTD_freeDCtx(handle) }
}
