import Bytes

@testable import CrashStore

extension CrashStore {
  /// The store after a backup and a restore into a new folder.
  func restored(as folder: String) throws -> CrashStore {
    let sink = RowSink()
    try archive.dump(.everything, to: sink)
    let loader = try StoreLoader(making: folder, schema: CrashStore.Archive.schemaVersion)
    for (table, rows) in sink.rows {
      try loader.load(rows: ByteView(rows.joined()), into: table)
    }
    for content in sink.contents {
      try loader.load(
        content: content.bytes, digest: content.digest, isPlain: content.isPlain)
    }
    return try loader.finish()
  }
}

private final class RowSink: DumpSink {
  var rows: [(table: String, rows: [[UInt8]])] = []
  var contents: [(bytes: ByteView, digest: [UInt8], isPlain: Bool)] = []

  func count(row: [UInt8], of table: String) {}
  func count(content digest: [UInt8], isPlain: Bool) {}
  func begin(schema: Int) {}

  func keep(row: [UInt8], of table: String) {
    if rows.last?.table != table { rows.append((table, [])) }
    rows[rows.count - 1].rows.append(row)
  }

  func keep(content bytes: ByteView, digest: [UInt8], isPlain: Bool) {
    contents.append((bytes, digest, isPlain))
  }
}
