import APIDocuments
import Bytes
import CrashStore
import Documents
import Identifiers
import JSON
import Rendering
import Terminal

/// Debug files that were deleted, or would be, and why.
struct DebugFileRemovalList {
  let removals: [DebugFileRemoval]
  let isDry: Bool
  /// Size of the deleted caches that no debug file has any more.
  var cacheBytes = 0

  private var bytes: Int { removals.reduce(0) { $0 + $1.file.size } }

  func print(_ console: Console, json: Bool, bytesLeft: Int?) throws {
    if json {
      var writer = JSONWriter(pretty: true)
      write(to: &writer, bytesLeft: bytesLeft)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(lines: lines(width: console.width, styles: console.styles))
    }
    console.say(closing(bytesLeft))
  }

  func lines(width: Int, styles: Styles) -> [String] {
    guard !removals.isEmpty else { return [] }
    var table = TextTable([
      .text("NAME", .atEnd), .text("ARCH", .atEnd), .number("SIZE"), .text("LAST NEEDED"),
      .text("DIGEST"), .text("WHY", .atEnd),
    ])
    for removal in removals {
      let file = removal.file
      table.add([
        file.name.printable,
        file.records.map { $0.architecture.description.printable }.joined(separator: " "),
        DebugFileList.size(file.size),
        file.lastNeeded.map { String($0.description.prefix(10)) } ?? "never",
        String(file.digest.prefix(12)), Self.why(removal),
      ])
    }
    return table.lines(width: width, styles: styles)
  }

  private static func why(_ removal: DebugFileRemoval) -> String {
    switch removal.reason {
    case .asked: "asked for"
    case .age: "too long ago"
    case .bytes: "over the limit"
    case .release: "only in older releases"
    }
  }

  private func closing(_ bytesLeft: Int?) -> String {
    let files = GroupText.count(removals.count, "debug file", "debug files")
    var text =
      isDry
      ? "\(files) would be removed, \(DebugFileList.size(bytes))"
      : "\(files) removed, \(DebugFileList.size(bytes))"
    if cacheBytes > 0 { text += "; \(DebugFileList.size(cacheBytes)) of caches" }
    if let bytesLeft { text += "; \(DebugFileList.size(bytesLeft)) left" }
    return text
  }

  private func write(to writer: inout JSONWriter, bytesLeft: Int?) {
    writer.beginObject()
    writer.member("dry_run", isDry)
    writer.key("removed")
    writer.beginArray()
    for removal in removals {
      writer.beginObject()
      writer.member("digest", removal.file.digest)
      writer.member("name", removal.file.name)
      writer.member("size", removal.file.size)
      writer.member("debug_ids", removal.file.records.map(\.debugID.description))
      writer.member("reports", removal.file.reports)
      writer.member("last_needed", removal.file.lastNeeded?.description)
      writer.member("added", removal.file.added.description)
      writer.key("builds")
      writer.write(removal.file.builds)
      writer.member("reason", Self.why(removal))
      writer.endObject()
    }
    writer.endArray()
    writer.member("bytes", bytes)
    writer.member("cache_bytes", cacheBytes)
    writer.member("bytes_left", bytesLeft)
    writer.endObject()
  }
}
