package import Bytes

/// The streams of a PDB that say how functions of 32-bit programs set up their stacks.
package struct PDBFrameStreams {
  /// Records of 32 bytes, with programs.
  package var frameData = ByteView.empty
  /// Older records of 16 bytes, of functions without a frame pointer.
  package var frameless = ByteView.empty
  /// The texts of `/names`, after their head.
  package var names = ByteView.empty

  package init() {}
}

extension PDBFile {
  /// - Throws: ``ParseError`` for a stream that is not in the file.
  package func frameStreams() throws(ParseError) -> PDBFrameStreams {
    var streams = PDBFrameStreams()
    if let stream = dbi?.frameless { streams.frameless = try container.stream(stream) }
    if let stream = dbi?.frameData, let names = try namedStream("/names") {
      streams.frameData = try container.stream(stream)
      let texts = try container.stream(names)
      streams.names = texts.clamped(12..<max(12, texts.count))
    }
    return streams
  }
}
