internal import CZlib
internal import CZstd

/// Decompresses a stream that arrives in pieces, of unknown size, with a bound on what comes out.
///
/// Used by one thread at a time.
public final class StreamInflater {
  /// How the stream is packed, by its name in `Content-Encoding` (RFC 9110 8.4.1, RFC 8878).
  public enum Format: String, Sendable {
    case gzip, deflate, zstd
    /// RFC 1951 without anything around it, as zip files hold it; not a coding of HTTP.
    case rawDeflate = "raw deflate"

    /// - Parameter contentCoding: In lower case.
    public init?(contentCoding: String) {
      self.init(rawValue: contentCoding == "x-gzip" ? "gzip" : contentCoding)
      if self == .rawDeflate { return nil }
    }
  }

  /// Frames that want a larger window than 8 MiB are refused (RFC 9659).
  private static let largestWindow: Int32 = 23
  private static let chunkSize = 1 << 16
  /// Up to here any ratio is fine: small text may well be a long run of one letter.
  private static let freeOutput = 1 << 20

  private let format: Format
  private let limit: Int
  private let ratio: Int
  /// zlib remembers where its state lies, so that it must not move.
  private let zlib = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isZlibOpen = false
  private var zstd: OpaquePointer?
  private var chunk = [UInt8](repeating: 0, count: StreamInflater.chunkSize)
  private var isAtEnd = false
  private var isEmpty = true
  private var taken = 0
  private var given = 0
  /// How far the input was understood, in bytes: where a stream is damaged, the place of it.
  public private(set) var position = 0

  /// - Parameters:
  ///   - limit: The most bytes that may come out.
  ///   - ratio: The most bytes that may come out for each one that went in, beyond the first MiB.
  /// - Throws: ``CompressionError/noMemory(format:)``.
  public init(_ format: Format, limit: Int, ratio: Int) throws(CompressionError) {
    self.format = format
    self.limit = limit
    self.ratio = ratio
    zlib.initialize(to: z_stream())
    guard format == .zstd else { return }
    guard let context = ZSTD_createDCtx() else { throw .noMemory(format: format.rawValue) }
    zstd = context
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindow)
  }

  deinit {
    if isZlibOpen { inflateEnd(zlib) }
    zlib.deallocate()
    if let zstd { ZSTD_freeDCtx(zstd) }
  }

  /// Takes the next piece and hands what it yields to `sink`, in chunks of at most 64 KiB.
  ///
  /// - Throws: ``CompressionError`` for damage or too much output, and what `sink` throws.
  public func write(
    _ piece: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard !piece.isEmpty else { return }
    isEmpty = false
    taken += piece.count
    if format == .zstd {
      try writeZstd(piece, to: sink)
    } else {
      try writeZlib(piece, to: sink)
    }
  }

  /// Says whether the stream was whole.
  ///
  /// - Throws: ``CompressionError/damaged(format:reason:)`` where it was cut.
  public func finish() throws(CompressionError) {
    guard isAtEnd || isEmpty else { throw damaged("the data ends early") }
  }

  private func damaged(_ reason: String) -> CompressionError {
    .damaged(format: format.rawValue, reason: reason)
  }

  private func give(_ count: Int, to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard count > 0 else { return }
    given += count
    let allowed = taken.multipliedReportingOverflow(by: ratio)
    guard given <= limit, allowed.overflow || given <= max(Self.freeOutput, allowed.partialValue)
    else { throw CompressionError.tooLarge(format: format.rawValue, size: nil, limit: limit) }
    try chunk.withUnsafeBytes { try sink(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  private func writeZlib(
    _ piece: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var position = 0
    while position < piece.count {
      if !isZlibOpen { try openZlib(piece[position]) }
      if isAtEnd {
        // Another member of a gzip file may follow (RFC 1952 2.2); after zlib's end, nothing may.
        guard format == .gzip, inflateReset(zlib) == Z_OK else { throw damaged("data at its end") }
        isAtEnd = false
      }
      let rest = UnsafeRawBufferPointer(rebasing: piece[position...])
      let (code, used, written) = chunk.withUnsafeMutableBytes { output in
        zlib.pointee.next_in = UnsafeMutablePointer(
          mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self))
        zlib.pointee.avail_in = UInt32(clamping: rest.count)
        zlib.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        zlib.pointee.avail_out = UInt32(output.count)
        let offered = zlib.pointee.avail_in
        let code = inflate(zlib, Z_NO_FLUSH)
        return (
          code, Int(offered - zlib.pointee.avail_in), output.count - Int(zlib.pointee.avail_out)
        )
      }
      position += used
      self.position += used
      try give(written, to: sink)
      switch code {
      case Z_STREAM_END: isAtEnd = true
      case Z_OK: break
      case Z_BUF_ERROR where used > 0 || written > 0: break
      case Z_MEM_ERROR: throw CompressionError.noMemory(format: format.rawValue)
      default: throw damaged("damaged data")
      }
    }
    // The bytes in the window when all input is read.
    while !isAtEnd && zlib.pointee.avail_out == 0 {
      let (code, written) = chunk.withUnsafeMutableBytes { output in
        zlib.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        zlib.pointee.avail_out = UInt32(output.count)
        let code = inflate(zlib, Z_NO_FLUSH)
        return (code, output.count - Int(zlib.pointee.avail_out))
      }
      try give(written, to: sink)
      if code == Z_STREAM_END { isAtEnd = true }
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
        throw damaged("damaged data")
      }
      if written == 0 { break }
    }
  }

  /// "deflate" is zlib's format by the standard, and raw deflate with some clients: a first byte
  /// that no zlib stream has shows.
  private func openZlib(_ first: UInt8) throws(CompressionError) {
    let bits: Int32 =
      switch format {
      case .gzip: 15 + 16
      case .rawDeflate: -15
      default: first & 0x0f == 8 && first >> 4 <= 7 ? 15 : -15
      }
    guard czlib_inflate_init(zlib, bits) == Z_OK else {
      throw .noMemory(format: format.rawValue)
    }
    isZlibOpen = true
  }

  private func writeZstd(
    _ piece: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var input = ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
    while true {
      let before = input.pos
      let (code, written) = chunk.withUnsafeMutableBytes { buffer in
        var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        let code = ZSTD_decompressStream(zstd, &output, &input)
        return (code, output.pos)
      }
      guard ZSTD_isError(code) == 0 else {
        throw damaged(String(cString: ZSTD_getErrorName(code)))
      }
      position += input.pos - before
      isAtEnd = code == 0
      try give(written, to: sink)
      if input.pos == input.size && (isAtEnd || written < chunk.count) { return }
      if input.pos == before && written == 0 { return }
    }
  }
}
