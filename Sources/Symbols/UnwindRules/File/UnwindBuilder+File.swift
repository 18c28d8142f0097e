internal import Bytes
internal import FlatFile

extension UnwindBuilder {
  /// The file of everything that was collected.
  ///
  /// - Throws: ``ParseError`` when it would need more than the numbers in it can say.
  func file(for target: UnwindTarget) throws(ParseError) -> ByteView {
    let writer = blocks()
    guard pool.words.count < Int(UInt32.max), expressions.bytes.count < Int(Int32.max),
      writer.rowCount < Int(UInt32.max)
    else {
      throw ParseError(
        .limit(name: "words of unwind rules", value: Int(UInt32.max)), in: "unwind rules", at: 0)
    }
    var starts = Table<UInt8>(minimumCapacity: writer.starts.count * 4)
    for index in 0..<writer.starts.count { starts.append(littleEndian: writer.starts[index]) }
    var words = Table<UInt8>(minimumCapacity: pool.words.count * 8)
    for index in 0..<pool.words.count { words.append(littleEndian: pool.words[index]) }
    var file = FlatFileWriter(UnwindFormat.layout)
    file.append(starts)
    file.append([ByteView(copying: unsafe writer.blocks.span.bytes)])
    file.append(words)
    file.append([ByteView(copying: unsafe expressions.bytes.span.bytes)])
    file.append([ByteView(notes.joined(separator: "\n").utf8)])
    var facts = Table<UInt8>()
    facts.append(littleEndian: UInt32(truncatingIfNeeded: writer.rowCount))
    facts.append(target.addressSize == 4 ? 4 : 8)
    facts.append(target.endianness == .big ? 1 : 0)
    let subject = FlatFileSubject(
      debugID: target.debugID, architecture: target.architecture, imageBase: target.imageBase)
    let fields = [(offset: UnwindFormat.rowCount, bytes: ByteView(taking: facts).array)]
    return file.finish(subject, flags: sources.rawValue, fields: fields).joined
  }
}
