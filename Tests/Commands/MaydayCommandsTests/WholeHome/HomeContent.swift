import Bytes
import Compression
import Database
import Glibc
import TestSupport

/// Everything that a home's databases and folders contain, read without the code that stores it.
struct HomeContent {
  /// The columns of each table, by the table's name.
  private(set) var columns: [String: [ColumnDescription]] = [:]
  /// The rows of each table as texts, sorted.
  private(set) var rows: [String: [String]] = [:]
  /// The names of columns with digests, as `table.column`, that hold a value somewhere, or NULL.
  private(set) var filled: Set<String> = []
  private(set) var nulls: Set<String> = []
  /// The contents by the paths of files, or by their digests in hexadecimal for rows of `small.db`.
  private(set) var contents: [String: [UInt8]] = [:]

  init(of home: String) throws {
    try read(home + "/mayday.db", prefix: "")
    try read(home + "/server.db", prefix: "server.")
    let small = try Connection(opening: home + "/blobs/small.db")
    let stored = try small.prepare(
      """
      SELECT digest, coalesce(blocks.bytes, contents.bytes), start, contents.size FROM contents
      LEFT JOIN blocks ON blocks.id = contents.block
      """)
    while try stored.step() {
      let bytes = try Self.unpacked(stored.blob(1))
      let (start, size) = (stored.optionalInt(2) ?? 0, stored.optionalInt(3) ?? bytes.count)
      contents[stored.blob(0).hexadecimalDigits] = Array(bytes[start..<(start + size)])
    }
    for folder in try FolderListing.names(in: home + "/blobs") where folder.count == 2 {
      for name in try FolderListing.names(in: "\(home)/blobs/\(folder)") {
        let bytes = try ByteView(reading: "\(home)/blobs/\(folder)/\(name)", limit: 1 << 30).array
        contents[name] = name.hasSuffix(".zst") ? try Self.unpacked(bytes) : bytes
      }
    }
  }

  private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    try Zstandard.decompress(ByteView(bytes), limit: 1 << 30).array
  }

  private mutating func read(_ path: String, prefix: String) throws {
    let database = try Connection(opening: path)
    var tables: [String] = []
    do {
      let list = try database.prepare(
        """
        SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
        """)
      while try list.step() { tables.append(list.text(0)) }
    }
    for table in tables {
      let columns = try database.columns(of: table)
      self.columns[prefix + table] = columns
      let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      let list = try database.prepare("SELECT \(names) FROM \(table)")
      var lines: [String] = []
      while try list.step() {
        var line = ""
        for (index, column) in columns.enumerated() {
          let name = "\(prefix)\(table).\(column.name)"
          if list.isNull(index) { nulls.insert(name) } else { filled.insert(name) }
          let value =
            list.isNull(index)
            ? "NULL"
            : column.type == "BLOB" ? list.blob(index).hexadecimalDigits : list.text(index)
          line += "\(column.name)=\(value) "
        }
        lines.append(line)
      }
      rows[prefix + table] = lines.sorted()
    }
  }
}
