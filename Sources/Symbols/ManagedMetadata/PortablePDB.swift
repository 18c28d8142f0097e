public import Bytes
internal import Compression
public import Identifiers
internal import JSON

/// A portable PDB: lines of methods of .NET, by method and offset into its intermediate code.
///
/// Source: "Portable PDB v1.0: Format specification" of dotnet/runtime.
public struct PortablePDB: Sendable {
  private let root: MetadataRoot
  /// The sixteen bytes of the id, and its stamp as the age.
  public let debugID: DebugID

  /// Whether bytes begin like a portable PDB, plain or embedded in a program.
  ///
  /// - Parameter head: The first bytes of the file.
  public static func mayBegin(_ head: ByteView) -> Bool {
    head.starts(with: "BSJB".utf8) || head.starts(with: "MPDB".utf8)
  }

  /// - Throws: ``ParseError`` when the bytes are not a portable PDB, or are damaged.
  public init(parsing view: ByteView) throws(ParseError) {
    let root = try MetadataRoot(parsing: try Self.unpacked(view))
    guard let stream = root.debugStream else {
      throw ParseError(.notRecognised, in: "portable PDB", at: 0)
    }
    var reader = ByteReader(stream.bytes, reading: "stream #Pdb")
    let guid = ByteView(copying: try reader.readBytes(16)).array
    debugID = DebugID(uuid: guid, age: try reader.read()).turned
    self.root = root
  }

  /// The form embedded in programs: "MPDB", the size in four bytes, a deflate stream.
  ///
  /// Source: PE-COFF.md of dotnet/runtime, "Embedded Portable PDB Debug Directory Entry".
  private static func unpacked(_ view: ByteView) throws(ParseError) -> ByteView {
    guard view.starts(with: "MPDB".utf8) else { return view }
    var reader = ByteReader(view.bytes, reading: "embedded portable PDB")
    try reader.skip(4)
    let size: UInt32 = try reader.read()
    do throws(CompressionError) {
      return try Deflate.decompress(
        view.clamped(8..<view.count), size: UInt64(size), limit: MetadataLimits.embeddedBytes)
    } catch {
      throw ParseError(.invalid("\(error)"), in: "embedded portable PDB", at: 8)
    }
  }

  /// The number of methods that the file has entries for; not all have lines.
  public var methodCount: UInt32 { root.tables.rows(of: .methodDebugInformation) }
  public var documentCount: UInt32 { root.tables.rows(of: .document) }

  // MARK: Lines

  /// An offset in a method at which a statement begins.
  public struct SequencePoint: Hashable, Sendable {
    /// In bytes of intermediate code.
    public var offset: UInt32
    /// Row of the document, from 1.
    public var document: UInt32
    /// From 1; 0 for code that belongs to no line.
    public var line: UInt32
    public var column: UInt32

    public var isHidden: Bool { line == 0 }
  }

  /// The source location of code.
  public struct Location: Hashable, Sendable {
    public var file: String
    public var line: Int
    public var column: Int
    /// Row of the document, from 1.
    public var document: UInt32
  }

  /// The location of the code of a method at an offset; `nil` where the file has no line for it.
  ///
  /// - Parameters:
  ///   - method: The row of the method, from 1: the low 24 bits of its token.
  ///   - offset: In bytes of intermediate code.
  /// - Throws: ``ParseError`` for damage.
  /// - Complexity: O(lines of the method).
  public func location(method: UInt32, offset: UInt32) throws(ParseError) -> Location? {
    var found: SequencePoint?
    for point in try sequencePoints(of: method) {
      guard point.offset <= offset else { break }
      // Compiler-generated code belongs to the statement before it, as the runtime shows it.
      if !point.isHidden { found = point }
    }
    guard let found, let file = try document(found.document) else { return nil }
    return Location(
      file: file, line: Int(found.line), column: Int(found.column), document: found.document)
  }

  /// The sequence points of a method, in the order of their offsets.
  ///
  /// - Throws: ``ParseError`` for damage.
  public func sequencePoints(of method: UInt32) throws(ParseError) -> [SequencePoint] {
    guard let blob = root.tables.value(.methodDebugInformation, method, 1), blob > 0,
      var document = root.tables.value(.methodDebugInformation, method, 0)
    else { return [] }
    let bytes = try root.blob(blob)
    var reader = BlobReader(bytes.bytes)
    // The signature of local variables.
    _ = try reader.readUnsigned()
    if document == 0 { document = try reader.readUnsigned() }
    var points: [SequencePoint] = []
    var point = SequencePoint(offset: 0, document: document, line: 0, column: 0)
    /// The last line and column that are not hidden.
    var last: (line: Int64, column: Int64)?
    while !reader.isAtEnd {
      let difference = try reader.readUnsigned()
      if difference == 0, !points.isEmpty {
        point.document = try reader.readUnsigned()
        continue
      }
      let (offset, isFar) = point.offset.addingReportingOverflow(difference)
      guard !isFar, points.count < MetadataLimits.sequencePoints else {
        throw ParseError(.invalid("a sequence point"), in: "method", at: Int(method))
      }
      point.offset = offset
      let lines = try reader.readUnsigned()
      let columns = lines == 0 ? Int32(try reader.readUnsigned()) : try reader.readSigned()
      if lines == 0, columns == 0 {
        point.line = 0
        point.column = 0
      } else {
        // Sums of at most 2^20 numbers of 29 bits.
        let line: Int64
        let column: Int64
        if let last {
          line = last.line + Int64(try reader.readSigned())
          column = last.column + Int64(try reader.readSigned())
        } else {
          line = Int64(try reader.readUnsigned())
          column = Int64(try reader.readUnsigned())
        }
        last = (line, column)
        guard line > 0, let line = UInt32(exactly: line), let column = UInt32(exactly: column)
        else { throw ParseError(.invalid("line \(line)"), in: "method", at: Int(method)) }
        point.line = line
        point.column = column
      }
      points.append(point)
    }
    return points
  }

  /// The method of the source whose state machine a method runs: an `async` method or an iterator.
  public func sourceMethod(of method: UInt32) -> UInt32? {
    guard
      let row = root.tables.firstRow(of: .stateMachineMethod, column: 0, notLessThan: method),
      root.tables.value(.stateMachineMethod, row, 0) == method
    else { return nil }
    return root.tables.value(.stateMachineMethod, row, 1)
  }

  // MARK: Documents

  /// The path of a document: a separator, then offsets of its parts in the heap of blobs.
  ///
  /// - Throws: ``ParseError`` for damage.
  public func document(_ row: UInt32) throws(ParseError) -> String? {
    guard let offset = root.tables.value(.document, row, 0), offset > 0 else { return nil }
    let bytes = try root.blob(offset)
    var reader = BlobReader(bytes.bytes)
    let separator = try reader.readByte()
    var path: [UInt8] = []
    var parts = 0
    while !reader.isAtEnd {
      let part = try reader.readUnsigned()
      if parts > 0, separator != 0 { path.append(separator) }
      parts += 1
      if part > 0 { path += try root.blob(part).array }
      guard path.count <= MetadataLimits.textBytes, parts <= MetadataLimits.pathParts else {
        throw ParseError(
          .limit(name: "bytes of a path", value: MetadataLimits.textBytes), in: "document",
          at: Int(row))
      }
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  /// {0E8A571B-6926-466E-B4AD-8AB04611F5FE}, as it lies in the file.
  private static let embeddedSource: [UInt8] = [
    0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46, 0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe,
  ]
  /// {CC110556-A091-4D38-9FEC-25AB9A351A6A}, as it lies in the file.
  private static let sourceLink: [UInt8] = [
    0x56, 0x05, 0x11, 0xcc, 0x91, 0xa0, 0x38, 0x4d, 0x9f, 0xec, 0x25, 0xab, 0x9a, 0x35, 0x1a, 0x6a,
  ]
  /// The tags of a document and of a module as owners of custom information.
  private static let documentTag: UInt32 = 22
  private static let moduleTag: UInt32 = 7

  /// The custom information of a kind about a row.
  private func information(
    _ kind: [UInt8], tag: UInt32, row: UInt32
  ) throws(ParseError) -> ByteView? {
    guard row < 1 << 27 else { return nil }
    let parent = row << 5 | tag
    guard
      var index = root.tables.firstRow(
        of: .customDebugInformation, column: 0, notLessThan: parent)
    else { return nil }
    while root.tables.value(.customDebugInformation, index, 0) == parent {
      if let found = root.tables.value(.customDebugInformation, index, 1), root.guid(found) == kind,
        let blob = root.tables.value(.customDebugInformation, index, 2)
      {
        return try root.blob(blob)
      }
      index += 1
    }
    return nil
  }

  /// The text of a document, if it is embedded: four bytes with the unpacked size of a deflate stream, or
  /// 0 before the text itself.
  ///
  /// - Throws: ``ParseError`` for damage.
  public func embeddedSource(of document: UInt32) throws(ParseError) -> ByteView? {
    guard
      let blob = try information(Self.embeddedSource, tag: Self.documentTag, row: document)
    else { return nil }
    var reader = ByteReader(blob.bytes, reading: "embedded source")
    let size: UInt32 = try reader.read()
    let text = blob.clamped(4..<blob.count)
    guard size > 0 else { return text }
    do throws(CompressionError) {
      return try Deflate.decompress(text, size: UInt64(size), limit: MetadataLimits.sourceBytes)
    } catch {
      throw ParseError(.invalid("\(error)"), in: "embedded source", at: 4)
    }
  }

  /// The address of the source of a path, by the file's SourceLink: `{"documents": {"/src/*":
  /// "https://host/commit/*"}}`. The longest prefix counts.
  ///
  /// - Throws: ``ParseError`` for damage.
  public func sourceLink(for path: String) throws(ParseError) -> String? {
    guard let blob = try information(Self.sourceLink, tag: Self.moduleTag, row: 1) else {
      return nil
    }
    let value = try JSONDocument.parse(blob).value
    var best: (length: Int, url: String)?
    for member in value["documents"]?.object ?? [] {
      guard let url = member.value.string else { continue }
      if member.key == path { return url }
      guard member.key.hasSuffix("*"),
        path.lowercased().hasPrefix(member.key.dropLast().lowercased()),
        member.key.count > best?.length ?? 0
      else { continue }
      let rest = path.dropFirst(member.key.count - 1).replacing("\\", with: "/")
      best = (member.key.count, url.replacing("*", with: rest))
    }
    return best?.url
  }
}
