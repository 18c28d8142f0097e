internal import Bytes
internal import JSON

/// Facts about all files of a symbol index together.
struct SymbolIndexHead: Equatable {
  /// The program that made it: `mayday 0.1.0`.
  var engine = ""
  /// The ``DebugFileScan/digest`` of the files.
  var digest = ""
  /// The paths that were indexed.
  var paths: [String] = []
  /// The number of files of other kinds.
  var otherFiles = 0
  var refusals: [DebugFileRefusal] = []

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("engine", engine)
    writer.member("digest", digest)
    writer.member("paths", paths)
    writer.member("other_files", otherFiles)
    writer.key("refusals")
    writer.beginArray()
    for refusal in refusals {
      writer.beginObject()
      writer.member("file", refusal.path)
      writer.member("reason", refusal.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.takeBytes()
  }

  init() {}

  init(_ bytes: ByteView) throws(ParseError) {
    let parse = try JSONDocument.parse(bytes)
    guard parse.cut == nil, let engine = parse.value["engine"]?.string,
      let digest = parse.value["digest"]?.string, let paths = parse.value["paths"]?.array,
      let others = parse.value["other_files"]?.integer,
      let refusals = parse.value["refusals"]?.array
    else { throw ParseError(.invalid("a wrong document"), in: "symbol index", at: 16) }
    self.engine = engine
    self.digest = digest
    self.paths = paths.compactMap(\.string)
    otherFiles = others
    self.refusals = refusals.compactMap { entry in
      guard let path = entry["file"]?.string, let reason = entry["reason"]?.string else {
        return nil
      }
      return DebugFileRefusal(path: path, reason: reason)
    }
  }
}
