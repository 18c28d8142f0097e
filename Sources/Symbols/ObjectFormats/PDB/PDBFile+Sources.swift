package import Bytes

extension PDBFile {
  /// The source files in the PDB, in the order of their table. A linker puts in what describes
  /// types to a debugger (natvis), and what a compiler hands it.
  ///
  /// The stream `/src/headerblock`:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0    64  version, size, time, age, zeros
  ///         64        a hash table as in the info stream, whose values are
  ///          0     4  size, 40
  ///          4     4  version
  ///          8     4  CRC-32 of the contents
  ///         12     4  size of the contents
  ///         16     4  offset of the path in `/names`
  ///         24     4  offset of the path after `/src/files/` in the name of its stream
  ///         28     1  compression, 0 for none
  ///
  /// Source: LLVM, SrcHeaderBlockHeader and SrcHeaderBlockEntry in
  /// `llvm/DebugInfo/PDB/Native/RawTypes.h`.
  package func embeddedSources() throws(ParseError) -> [EmbeddedSource] {
    let streams = try namedStreams()
    guard let table = streams.first(where: { $0.name == "/src/headerblock" }),
      let names = streams.first(where: { $0.name == "/names" })
    else { return [] }
    let view = try container.stream(table.stream)
    let texts = try container.stream(names.stream)
    var numbers: [String: Int] = [:]
    for stream in streams where numbers[stream.name] == nil { numbers[stream.name] = stream.stream }
    var reader = ByteReader(view.bytes, reading: "PDB embedded sources")
    try reader.skip(64)
    let count: UInt32 = try reader.read()
    try reader.skip(4)
    for _ in 0..<2 {
      let words: UInt32 = try reader.read()
      guard Int(words) <= reader.remaining / 4 else {
        throw reader.error(.invalid("\(words) words of bit masks"))
      }
      try reader.skip(Int(words) * 4)
    }
    var sources: [EmbeddedSource] = []
    for _ in 0..<count {
      guard reader.remaining >= 44 else { break }
      let end = reader.position + 44
      try reader.skip(16)
      let size: UInt32 = try reader.read()
      let path: UInt32 = try reader.read()
      try reader.skip(4)
      let stored: UInt32 = try reader.read()
      let compression: UInt8 = try reader.read()
      try reader.seek(to: end)
      guard let name = text(at: stored, in: texts), let number = numbers["/src/files/" + name]
      else { continue }
      sources.append(
        EmbeddedSource(
          path: text(at: path, in: texts) ?? name, size: UInt64(size),
          compression: compression == 0 ? .none : .other(compression), stream: number))
    }
    return sources
  }

  /// A text of `/names`, whose offsets count from after its head of twelve bytes.
  private func text(at offset: UInt32, in names: ByteView) -> String? {
    let start = 12 + Int(offset)
    guard start < names.count else { return nil }
    let tail = names.clamped(start..<(start + ObjectLimits.streamNameBytes))
    var reader = ByteReader(tail.bytes, reading: "PDB names")
    return try? reader.readCString().text
  }
}
