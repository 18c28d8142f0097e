internal import Bytes
internal import Crypto
internal import JSON

/// The first member of an archive: its kind and contents.
///
/// The format is described in docs/reference/archive.md; a reader refuses a later version.
struct ArchiveManifest: Equatable {
  static let name = "manifest.json"
  static let format = "mayday-archive"
  static let version = 1
  /// The most bytes of a manifest.
  static let limit = 64 << 20

  /// A file with rows of a table, or a file of the home.
  struct MemberFile: Equatable {
    var name: String
    var bytes: Int
    /// The SHA-256, in hexadecimal.
    var digest: String
  }

  struct Table: Equatable {
    var name: String
    var rows = 0
    var parts: [MemberFile] = []
  }

  /// Contents of one kind, or submissions that are not stored.
  struct Contents: Equatable {
    var count = 0
    /// SHA-256 of the concatenated digests, in hexadecimal; for submissions, of the digests of
    /// their descriptions.
    var digest = SHA256.hex(of: .empty)
  }

  var isWhole: Bool
  /// The program that wrote it.
  var engine: String
  /// The version of the tables.
  var schema: Int
  /// The query that chose the reports of an export.
  var query: String?
  /// Files of the home, in the order in which they follow.
  var files: [MemberFile] = []
  /// Submissions that were acknowledged and are not stored, or were quarantined.
  var intake = Contents()
  var tables: [Table] = []
  var contents = Contents()
  var debugFiles = Contents()

  init(isWhole: Bool, engine: String, schema: Int, query: String?) {
    self.isWhole = isWhole
    self.engine = engine
    self.schema = schema
    self.query = query
  }
}

extension ArchiveManifest {
  var bytes: [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("format", Self.format)
    writer.member("version", Self.version)
    writer.member("kind", isWhole ? "backup" : "export")
    writer.member("engine", engine)
    writer.member("schema", schema)
    writer.member("query", query)
    writer.key("files")
    Self.write(files, to: &writer)
    writer.key("tables")
    writer.beginArray()
    for table in tables {
      writer.beginObject()
      writer.member("name", table.name)
      writer.member("rows", table.rows)
      writer.key("parts")
      Self.write(table.parts, to: &writer)
      writer.endObject()
    }
    writer.endArray()
    for (name, contents) in [
      ("intake", intake), ("contents", contents), ("debug_files", debugFiles),
    ] {
      writer.key(name)
      writer.beginObject()
      writer.member("count", contents.count)
      writer.member("sha256", contents.digest)
      writer.endObject()
    }
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }

  private static func write(_ parts: [MemberFile], to writer: inout JSONWriter) {
    writer.beginArray()
    for part in parts {
      writer.beginObject()
      writer.member("name", part.name)
      writer.member("bytes", part.bytes)
      writer.member("sha256", part.digest)
      writer.endObject()
    }
    writer.endArray()
  }

  private static let limits = JSONLimits(
    depth: 6, bytes: limit, nodes: 2_000_000, stringBytes: 1 << 20)

  /// - Throws: ``HomeArchiveError`` when `bytes` are not a manifest, or have a later version.
  init(reading bytes: ByteView) throws(HomeArchiveError) {
    let parse: JSONParse
    do {
      parse = try JSONDocument.parse(bytes, limits: Self.limits)
    } catch {
      throw .damaged("\(Self.name): \(error)")
    }
    let value = parse.value
    guard value["format"]?.string == Self.format else {
      throw .damaged("\(Self.name) is not the manifest of a Mayday archive")
    }
    guard let version = value["version"]?.integer else { throw Self.missing("version") }
    guard (1...Self.version).contains(version) else {
      throw .laterVersion(version, known: Self.version)
    }
    guard parse.cut == nil else { throw .damaged("\(Self.name) is cut off") }
    guard let kind = value["kind"]?.string, ["backup", "export"].contains(kind) else {
      throw Self.missing("kind")
    }
    guard let schema = value["schema"]?.integer else { throw Self.missing("schema") }
    self.init(
      isWhole: kind == "backup", engine: value["engine"]?.string ?? "", schema: schema,
      query: value["query"]?.string)
    guard let files = value["files"]?.array else { throw Self.missing("files") }
    self.files = try files.map { (part) throws(HomeArchiveError) in try Self.part(part, "files") }
    intake = try Self.contents(value, "intake")
    guard let tables = value["tables"]?.array else { throw Self.missing("tables") }
    self.tables = try tables.map { (table) throws(HomeArchiveError) in try Self.table(table) }
    contents = try Self.contents(value, "contents")
    debugFiles = try Self.contents(value, "debug_files")
    guard Set(self.tables.map(\.name)).count == self.tables.count else {
      throw .damaged("\(Self.name) names a table twice")
    }
    guard Set(self.files.map(\.name)).count == self.files.count else {
      throw .damaged("\(Self.name) names a file twice")
    }
  }

  private static func table(_ value: JSONValue) throws(HomeArchiveError) -> Table {
    guard let name = value["name"]?.string, let rows = value["rows"]?.integer, rows >= 0,
      let parts = value["parts"]?.array
    else { throw missing("tables") }
    return Table(
      name: name, rows: rows,
      parts: try parts.map { (value) throws(HomeArchiveError) in try part(value, "parts") })
  }

  private static func part(
    _ value: JSONValue, _ member: String
  ) throws(HomeArchiveError) -> MemberFile {
    guard let name = value["name"]?.string, let bytes = value["bytes"]?.integer, bytes >= 0,
      let digest = value["sha256"]?.string
    else { throw missing(member) }
    return MemberFile(name: name, bytes: bytes, digest: digest)
  }

  private static func contents(
    _ value: JSONValue, _ name: String
  ) throws(HomeArchiveError) -> Contents {
    guard let count = value[name]?["count"]?.integer, count >= 0,
      let digest = value[name]?["sha256"]?.string
    else { throw missing(name) }
    return Contents(count: count, digest: digest)
  }

  private static func missing(_ what: String) -> HomeArchiveError {
    .damaged("\(name): '\(what)' is missing or wrong")
  }
}
