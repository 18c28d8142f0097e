package import Bytes

/// A source file that a debug file carries in itself.
public struct EmbeddedSource: Hashable, Sendable {
  /// Its path where the program was compiled.
  public let path: String
  /// Its size in bytes.
  public let size: UInt64
  /// How it is stored.
  public let compression: Compression
  /// The stream of a PDB that holds it.
  let stream: Int

  public enum Compression: Hashable, Sendable {
    case none
    /// By a number of the format, which is not read.
    case other(UInt8)
  }
}

extension PDBFile {
  /// The text of a source file from ``embeddedSources()``.
  ///
  /// - Throws: ``ParseError`` when it is compressed or lies outside the file.
  package func contents(of source: EmbeddedSource) throws(ParseError) -> ByteView {
    if case .other(let number) = source.compression {
      throw ParseError(.unsupported("compression \(number)"), in: "embedded source", at: 0)
    }
    return try container.stream(source.stream).clamped(0..<Int(clamping: source.size))
  }
}
