public import Bytes

/// Undoes what a whole body was packed with on its way (RFC 9110 8.4.1).
public enum ContentCoding {
  /// Bytes that come out of one without anybody asking how large it may be.
  private static let usual = 64 << 10
  /// How many bytes usually come out of one, at the most.
  private static let usualRatio = 16
  /// In bytes: the error of a damaged stream has its reader's offset in a piece.
  private static let piece = 64 << 10

  /// - Parameters:
  ///   - coding: As a request names it, lower-case; several with commas between them, in the order
  ///     in which they were applied. None is the bytes as they are.
  ///   - limit: The most bytes that may come out.
  /// - Throws: ``ParseError`` for a coding that is not known, for damage with its place in `bytes`,
  ///   and at the limit; ``CompressionError/noMemory(format:)``.
  public static func undo(_ coding: String, of bytes: ByteView, limit: Int) throws -> ByteView {
    guard !coding.isEmpty, !bytes.isEmpty else { return bytes }
    guard let format = StreamInflater.Format(contentCoding: coding) else {
      throw ParseError(.unsupported("'\(coding)'"), in: "content coding", at: 0)
    }
    let (guess, overflow) = bytes.count.multipliedReportingOverflow(by: usualRatio)
    let first = overflow ? limit : min(limit, max(usual, guess))
    if let whole = try unpack(bytes, format, capacity: first) { return whole }
    if first < limit, let whole = try unpack(bytes, format, capacity: limit) { return whole }
    throw ParseError(
      .limit(name: "unpacked bytes", value: limit), in: "\(format.rawValue) body", at: 0)
  }

  /// - Returns: `nil` where more comes out than there is room for.
  private static func unpack(
    _ bytes: ByteView, _ format: StreamInflater.Format, capacity: Int
  ) throws -> ByteView? {
    let inflater = try StreamInflater(format, limit: capacity, ratio: .max)
    do {
      return try ByteView(capacity: capacity) { (output) throws(any Error) in
        var count = 0
        try bytes.withUnsafeBytes { bytes in
          for start in stride(from: 0, to: bytes.count, by: piece) {
            let end = min(bytes.count, start + piece)
            try inflater.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { more in
              UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: more)
              count += more.count
            }
          }
        }
        try inflater.finish()
        return count
      }
    } catch CompressionError.tooLarge {
      return nil
    } catch CompressionError.damaged(_, let reason) {
      throw ParseError(
        .invalid(reason), in: "\(format.rawValue) body of \(bytes.count) bytes",
        at: inflater.position)
    }
  }
}
