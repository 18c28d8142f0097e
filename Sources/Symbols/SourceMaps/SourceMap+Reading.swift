public import Bytes
internal import Identifiers
internal import JSON

extension SourceMap {
  /// Whether bytes may begin a source map: an object whose first key is one of a map's.
  ///
  /// - Parameter head: The first bytes of the file.
  public static func mayBegin(_ head: ByteView) -> Bool {
    var reader = JSONReader(document(in: head).bytes, limits: .sourceMap)
    guard let kind = try? reader.peek(), kind == .object, (try? reader.beginObject()) == true,
      (try? reader.nextKey()) == true
    else { return false }
    let key = reader.key
    return firstKeys.contains(key) || key.hasPrefix("x_")
  }

  private static let firstKeys: Set<String> = [
    "version", "file", "sourceRoot", "sources", "sourcesContent", "names", "mappings", "sections",
    "ignoreList", "debugId", "debug_id", "lineCount",
  ]

  /// Without the line `)]}'` that some servers put first, so that no page can run the map as a script.
  private static func document(in bytes: ByteView) -> ByteView {
    guard bytes.starts(with: ")]}".utf8) else { return bytes }
    let span = bytes.bytes
    var start = 0
    while start < bytes.count, span.byte(start) != 10, span.byte(start) != UInt8(ascii: "{") {
      start += 1
    }
    return bytes.clamped(start..<bytes.count)
  }

  /// - Throws: ``ParseError``; of kind ``ParseError/Kind/notRecognised`` for a document that is not a
  ///   source map.
  /// - Complexity: O(n).
  public convenience init(parsing bytes: ByteView) throws(ParseError) {
    guard bytes.count <= SourceMapLimits.bytes else {
      throw ParseError(
        .limit(name: "bytes of a source map", value: SourceMapLimits.bytes), in: "source map",
        at: bytes.count)
    }
    let document = Self.document(in: bytes)
    var parser = SourceMapParser(document: document, base: document.offset(in: bytes) ?? 0)
    try parser.read()
    // Only sections that begin later take over.
    let order = parser.parts.indices.sorted {
      (parser.parts[$0].line, parser.parts[$0].column, $0)
        < (parser.parts[$1].line, parser.parts[$1].column, $1)
    }
    self.init(
      bytes: bytes, parts: order.map { parser.parts[$0] }, file: parser.file,
      debugID: parser.debugID)
  }
}

/// The members of a map, read in one pass.
struct SourceMapParser {
  private let document: ByteView
  /// Where the document begins in the bytes of the map.
  private let base: Int
  private(set) var parts: [SourceMapPart] = []
  private(set) var file: String?
  private(set) var debugID: DebugID?
  /// Whether a member was met that only a map has.
  private var isMap = false

  init(document: ByteView, base: Int) {
    self.document = document
    self.base = base
  }

  mutating func read() throws(ParseError) {
    let bytes = document
    var reader = JSONReader(bytes.bytes, reading: "source map", limits: .sourceMap, base: base)
    do {
      try readMap(&reader, depth: 0)
    } catch {
      // Documents of any kind may begin as a map does.
      throw isMap ? error : notRecognised
    }
    if !isMap { throw notRecognised }
    if let cut = reader.cut {
      throw ParseError(.truncated(needed: 1, left: 0), in: "source map", at: base + cut)
    }
  }

  private struct Members {
    var version: Int?
    var mappings: ByteView?
    var hasSections = false
    var sources: [SourceMapText]?
    var contents: [SourceMapText] = []
    var names: [SourceMapText] = []
    var ignored: [Int32] = []
    var functionMaps: [FunctionMap.MapRange] = []
    var root: String?
  }

  /// The map that stands next; its parts count lines and columns from its own start.
  private mutating func readMap(_ reader: inout JSONReader, depth: Int) throws(ParseError) {
    var members = Members()
    guard try reader.beginObject() else { throw notRecognised }
    while try reader.nextKey() { try readMember(&reader, &members, depth) }
    if reader.cut != nil { return }
    guard members.version == 3 else {
      if members.mappings != nil || members.hasSections, let version = members.version {
        throw reader.error(.unsupported("version \(version)"))
      }
      throw notRecognised
    }
    guard let mappings = members.mappings else {
      if members.hasSections { return }
      throw notRecognised
    }
    try add(
      SourceMapPart(
        mappings: try MappingIndex(mappings),
        sources: members.sources ?? [], contents: members.contents, names: members.names,
        ignored: Array(Set(members.ignored)).sorted(), functionMaps: members.functionMaps,
        sourceRoot: members.root),
      reader.position)
  }

  private var notRecognised: ParseError { ParseError(.notRecognised, in: "source map", at: base) }

  private mutating func readMember(
    _ reader: inout JSONReader, _ members: inout Members, _ depth: Int
  ) throws(ParseError) {
    if reader.keyIs("version") {
      members.version = try reader.readInt()
    } else if reader.keyIs("mappings") {
      isMap = true
      guard let text = try reader.readText() else { return }
      if text.isEscaped {
        members.mappings = ByteView(reader.string(text).utf8)
      } else {
        members.mappings = document.clamped(text.start..<(text.start + text.count))
      }
    } else if reader.keyIs("sources") {
      members.sources = try texts(&reader)
    } else if reader.keyIs("sourcesContent") {
      members.contents = try texts(&reader)
    } else if reader.keyIs("names") {
      members.names = try texts(&reader)
    } else if reader.keyIs("sourceRoot") {
      members.root = try reader.readString()
    } else if reader.keyIs("ignoreList") || reader.keyIs("x_google_ignoreList") {
      guard try reader.beginArray() else { return }
      while try reader.nextElement() {
        if let index = try reader.readInt().flatMap({ Int32(exactly: $0) }) {
          members.ignored.append(index)
        }
      }
    } else if reader.keyIs("x_facebook_sources") {
      members.functionMaps = try functionMaps(&reader)
    } else if reader.keyIs("file"), depth == 0 {
      file = try reader.readString()
    } else if depth == 0, debugID == nil, reader.keyIs("debugId") || reader.keyIs("debug_id") {
      debugID = try reader.readString().flatMap { DebugID($0) }.flatMap { $0.isZero ? nil : $0 }
    } else if reader.keyIs("sections") {
      members.hasSections = true
      isMap = true
      try readSections(&reader, depth)
    }
  }

  /// Where each string of an array lies; other values have none.
  private func texts(_ reader: inout JSONReader) throws(ParseError) -> [SourceMapText] {
    var texts: [SourceMapText] = []
    guard try reader.beginArray() else { return [] }
    while try reader.nextElement() {
      texts.append(try reader.readText().map { SourceMapText($0, base: base) } ?? .none)
    }
    return texts
  }

  /// The first object of each source; `null` for a source without.
  private func functionMaps(_ reader: inout JSONReader) throws(ParseError) -> [FunctionMap.MapRange]
  {
    var ranges: [FunctionMap.MapRange] = []
    guard try reader.beginArray() else { return [] }
    while try reader.nextElement() {
      var range = FunctionMap.MapRange.none
      if try reader.peek() == .array, try reader.beginArray() {
        while try reader.nextElement() {
          guard range.count == 0, try reader.peek() == .object else { continue }
          let start = reader.position
          try reader.skipValue()
          range = FunctionMap.MapRange(
            start: UInt32(clamping: start + base), count: UInt32(clamping: reader.position - start))
        }
      }
      ranges.append(range)
    }
    return ranges
  }

  /// `[{"offset": {"line": 0, "column": 0}, "map": {…}}, …]`; a section that names its map by a URL
  /// has nothing to be read, and covers its code.
  private mutating func readSections(
    _ reader: inout JSONReader, _ depth: Int
  ) throws(ParseError) {
    guard depth < SourceMapLimits.nesting else {
      throw reader.error(.limit(name: "indexed maps in each other", value: SourceMapLimits.nesting))
    }
    guard try reader.beginArray() else { return }
    while try reader.nextElement() {
      guard try reader.beginObject() else { continue }
      var offset: (line: Int, column: Int) = (0, 0)
      let start = parts.count
      var hasMap = false
      while try reader.nextKey() {
        if reader.keyIs("offset") {
          guard try reader.beginObject() else { continue }
          while try reader.nextKey() {
            if reader.keyIs("line") {
              offset.line = try reader.readInt() ?? -1
            } else if reader.keyIs("column") {
              offset.column = try reader.readInt() ?? -1
            }
          }
        } else if reader.keyIs("map"), try reader.peek() == .object {
          // The offset may stand after the map: it is added then.
          try readMap(&reader, depth: depth + 1)
          hasMap = true
        }
      }
      if reader.cut != nil { return }
      guard let line = Int32(exactly: offset.line), let column = Int32(exactly: offset.column),
        line >= 0, column >= 0
      else { throw reader.error(.invalid("a section at a line or column out of range")) }
      if !hasMap { try add(SourceMapPart(mappings: try MappingIndex(.empty)), reader.position) }
      for index in start..<parts.count { try parts[index].move(line, column, reader.position) }
    }
  }

  private mutating func add(_ part: SourceMapPart, _ position: Int) throws(ParseError) {
    guard parts.count < SourceMapLimits.sections else {
      throw ParseError(
        .limit(name: "sections", value: SourceMapLimits.sections), in: "source map",
        at: base + position)
    }
    parts.append(part)
  }
}
