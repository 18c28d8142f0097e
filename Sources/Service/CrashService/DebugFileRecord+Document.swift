package import CrashStore
package import Documents
internal import Identifiers
internal import SymbolSources

extension DebugFileRecord: Documented {
  package static let declaration = DocumentType(
    "DebugFile",
    blank: DebugFileRecord(
      debugID: DebugID(uuid: []), codeID: nil, architecture: Architecture(""), kind: "", name: "",
      digest: "", size: 0, added: Timestamp(seconds: 0))
  ) {
    DocumentMember("debug_id", \.debugID, .debugID)
    DocumentMember("code_id", optional: \.codeID, .codeID)
    DocumentMember("name", \.name, .text, example: "Tern.debug")
    DocumentMember("arch", \.architecture, .architecture)
    DocumentMember("kind", \.kind, .debugFileKind)
    DocumentMember("size", \.size, .count, "Bytes.")
    DocumentMember("digest", \.digest, .text, "The SHA-256 of the file.")
    DocumentMember("added", \.added, .time)
  }
}

extension DocumentValue where Value == String {
  /// The kind of a debug file. Unknown words are accepted: a newer server may have more.
  package static var debugFileKind: DocumentValue<String> {
    .words(
      [
        "debug-info", "symbols", "unwind-rules", "split", "shared", DebugFileRecord.sourcesKind,
      ] + MappingFile.Kind.allCases.map(\.rawValue))
  }
}
